import {
  chatTokens,
  countChatTokens,
  createChatCompletion,
} from './chat/create-chat-completion.ts';
import { createCompletion } from './completions/create-completion.ts';
import type { Context } from './context.ts';
import {
  addItems,
  changeConversation,
  createConversation,
  deleteConversation,
  deleteItem,
  getConversation,
  getItem,
  listItems,
} from './conversations/conversations.ts';
import { createEmbeddings } from './embeddings/create-embeddings.ts';
import { createDecision } from './decisions/create-decision.ts';
import { createSystemOne } from './decisions/create-system-one.ts';
import { createFile, deleteFile, getFile, listFiles, readFile } from './files/files.ts';
import type { Endpoint } from './http/endpoint.ts';
import { countMessageTokens, createMessage, messageTokens } from './messages/create-message.ts';
import { managing } from './models/manage-models.ts';
import { getModel, listModels } from './models/models.ts';
import { createRerank } from './rerank/create-rerank.ts';
import { countInputTokens, creatingResponses, inputTokens } from './responses/create-response.ts';
import { deletingResponses, gettingResponses, listInputItems } from './responses/read-responses.ts';
import { WrittenResponses } from './responses/written-responses.ts';
import { createSpeech } from './speech/create-speech.ts';
import { speechListener } from './speech/listen-to-speech.ts';
import { listVoices } from './speech/list-voices.ts';
import { health } from './status/health.ts';
import { metrics } from './status/metrics.ts';
import { detokenize, tokenize } from './tokens/tokenize.ts';
import { transcribing } from './transcriptions/create-transcription.ts';

import {
  addFile,
  cancelBatch,
  changeStoreFile,
  createBatch,
  getBatch,
  getStoreFile,
  listBatchFiles,
  listStoreFiles,
  readStoreFile,
  removeStoreFile,
} from './vector-stores/store-files.ts';
import {
  changeStore,
  createStore,
  deleteStore,
  getStore,
  listStores,
  searchStore,
} from './vector-stores/vector-stores.ts';

const STORES = 'vector_stores';

/** The endpoints of the API. */
export function apiEndpoints(): Endpoint<Context>[] {
  const written = new WrittenResponses();
  return [
    { method: 'GET', path: 'health', keyless: true, handle: health },
    { method: 'GET', path: 'metrics', handle: metrics },
    { method: 'GET', path: 'models', handle: listModels },
    { method: 'GET', path: 'models/{model}', handle: getModel },
    { method: 'DELETE', path: 'models/{model}', handle: managing('remove') },
    { method: 'POST', path: 'models/{model}/load', handle: managing('load') },
    { method: 'POST', path: 'models/{model}/unload', handle: managing('unload') },
    { method: 'POST', path: 'models/{model}/install', handle: managing('install') },
    {
      method: 'POST',
      path: 'chat/completions',
      handle: createChatCompletion,
      count: chatTokens,
    },
    { method: 'POST', path: 'chat/completions/input_tokens', handle: countChatTokens },
    { method: 'POST', path: 'completions', handle: createCompletion },
    {
      method: 'POST',
      path: 'responses',
      handle: creatingResponses(written),
      count: inputTokens,
    },
    { method: 'POST', path: 'responses/input_tokens', handle: countInputTokens },
    { method: 'GET', path: 'responses/{response}', handle: gettingResponses(written) },
    { method: 'DELETE', path: 'responses/{response}', handle: deletingResponses(written) },
    { method: 'GET', path: 'responses/{response}/input_items', handle: listInputItems },
    { method: 'POST', path: 'conversations', handle: createConversation },
    { method: 'GET', path: 'conversations/{conversation}', handle: getConversation },
    { method: 'POST', path: 'conversations/{conversation}', handle: changeConversation },
    { method: 'DELETE', path: 'conversations/{conversation}', handle: deleteConversation },
    { method: 'POST', path: 'conversations/{conversation}/items', handle: addItems },
    { method: 'GET', path: 'conversations/{conversation}/items', handle: listItems },
    { method: 'GET', path: 'conversations/{conversation}/items/{item}', handle: getItem },
    { method: 'DELETE', path: 'conversations/{conversation}/items/{item}', handle: deleteItem },
    { method: 'POST', path: 'messages', handle: createMessage, count: messageTokens },
    { method: 'POST', path: 'messages/count_tokens', handle: countMessageTokens },
    { method: 'POST', path: 'decisions', handle: createDecision },
    { method: 'POST', path: 'systemone', handle: createSystemOne },
    { method: 'POST', path: 'embeddings', handle: createEmbeddings },
    { method: 'POST', path: 'rerank', handle: createRerank },
    { method: 'POST', path: 'files', handle: createFile },
    { method: 'GET', path: 'files', handle: listFiles },
    { method: 'GET', path: 'files/{file}', handle: getFile },
    { method: 'DELETE', path: 'files/{file}', handle: deleteFile },
    { method: 'GET', path: 'files/{file}/content', handle: readFile },
    { method: 'POST', path: STORES, handle: createStore },
    { method: 'GET', path: STORES, handle: listStores },
    { method: 'GET', path: `${STORES}/{store}`, handle: getStore },
    { method: 'POST', path: `${STORES}/{store}`, handle: changeStore },
    { method: 'DELETE', path: `${STORES}/{store}`, handle: deleteStore },
    { method: 'POST', path: `${STORES}/{store}/search`, handle: searchStore },
    { method: 'POST', path: `${STORES}/{store}/files`, handle: addFile },
    { method: 'GET', path: `${STORES}/{store}/files`, handle: listStoreFiles },
    { method: 'GET', path: `${STORES}/{store}/files/{file}`, handle: getStoreFile },
    { method: 'POST', path: `${STORES}/{store}/files/{file}`, handle: changeStoreFile },
    { method: 'DELETE', path: `${STORES}/{store}/files/{file}`, handle: removeStoreFile },
    { method: 'GET', path: `${STORES}/{store}/files/{file}/content`, handle: readStoreFile },
    { method: 'POST', path: `${STORES}/{store}/file_batches`, handle: createBatch },
    { method: 'GET', path: `${STORES}/{store}/file_batches/{batch}`, handle: getBatch },
    { method: 'POST', path: `${STORES}/{store}/file_batches/{batch}/cancel`, handle: cancelBatch },
    { method: 'GET', path: `${STORES}/{store}/file_batches/{batch}/files`, handle: listBatchFiles },
    { method: 'POST', path: 'tokenize', handle: tokenize },
    { method: 'POST', path: 'detokenize', handle: detokenize },
    { method: 'GET', path: 'audio/voices', handle: listVoices },
    { method: 'POST', path: 'audio/transcriptions', handle: transcribing('transcribe') },
    { method: 'POST', path: 'audio/translations', handle: transcribing('translate') },
    { method: 'POST', path: 'audio/speech', handle: createSpeech },
    { method: 'GET', path: 'audio/speech', signed: true, handle: speechListener() },
  ];
}
