import * as v from 'valibot';
import { toErrorData } from '../../src/core/errors/errors.ts';
import { chatJob } from '../chat/chat-job.ts';
import { chatRequestSchema } from '../chat/chat-request.ts';
import { completionJob, completionPrompts } from '../completions/completion-job.ts';
import { completionRequestSchema } from '../completions/completion-request.ts';
import { embeddingRequestSchema, textsOf } from '../embeddings/embedding-request.ts';
import { changeSchema, conversationSchema, itemsSchema } from '../conversations/conversations.ts';
import { askedDecision } from '../decisions/create-decision.ts';
import { askedSystemOne, systemOneSchema } from '../decisions/create-system-one.ts';
import { decisionRequestSchema } from '../decisions/decision-request.ts';
import { newFile } from '../files/file-form.ts';
import { leftOut, type LeftOut } from '../generation/request/left-out.ts';
import { fieldName } from '../http/field-name.ts';
import { checkShape, faultOf, parseValue } from '../http/parse-value.ts';
import { countedJob, messageJob } from '../messages/message-job.ts';
import { countRequestSchema, messageRequestSchema } from '../messages/message-request.ts';
import { loadingSchema, managingSchema } from '../models/manage-models.ts';
import { refuseUnsupported, rerankRequestSchema } from '../rerank/create-rerank.ts';
import { responseJob } from '../responses/response-job.ts';
import { responseRequestSchema } from '../responses/response-request.ts';
import { itemsAlone } from '../responses/whole-input.ts';
import { speechQuery } from '../speech/speech-request.ts';
import { speechRequestSchema } from '../speech/speech-request.ts';
import { checkTokenize, detokenizeSchema, tokenizeSchema } from '../tokens/tokenize.ts';
import { transcriptionForm } from '../transcriptions/transcription-form.ts';
import { checkAttributes, readFilter } from '../vector-stores/attributes.ts';
import {
  batchSchema,
  filesOfBatch,
  filesOfStore,
  memberChangeSchema,
  memberSchema,
  newMember,
  searchSchema,
  storeChangeSchema,
  storeSchema,
} from '../vector-stores/store-request.ts';
import type { Finding, Path } from './finding.ts';
import { unusedFields } from './unused-fields.ts';

type Checker = (body: unknown) => Finding[];

const chat = json(chatRequestSchema, (body) => chatJob(body, []), leftOut);
const response = json(
  responseRequestSchema,
  (body) => {
    const items = itemsAlone(body);
    // Only the engine knows the items of an earlier answer or a reference.
    if (items) responseJob(body, items, []);
  },
  leftOut,
);
const managing = json(managingSchema);

/** The checkers by method and path. */
export const CHECKERS: Readonly<Record<string, Checker>> = {
  'POST /chat/completions': chat,
  'POST /chat/completions/input_tokens': chat,
  'POST /responses': response,
  'POST /responses/input_tokens': response,
  'POST /messages': json(messageRequestSchema, (body) => messageJob(body, []), leftOut),
  'POST /messages/count_tokens': json(countRequestSchema, (body) => countedJob(body, []), leftOut),
  'POST /completions': json(completionRequestSchema, (body) =>
    completionJob(body, completionPrompts(body)[0]),
  ),
  'POST /embeddings': json(embeddingRequestSchema, ({ input }) => textsOf(input)),
  'POST /conversations': json(conversationSchema),
  'POST /conversations/{conversation}': json(changeSchema),
  'POST /conversations/{conversation}/items': json(itemsSchema),
  'POST /decisions': json(decisionRequestSchema, askedDecision),
  'POST /systemone': json(systemOneSchema, askedSystemOne),
  'POST /rerank': json(rerankRequestSchema, refuseUnsupported),
  'POST /tokenize': json(tokenizeSchema, checkTokenize),
  'POST /detokenize': json(detokenizeSchema),
  'POST /audio/speech': json(speechRequestSchema),
  'GET /audio/speech': query,
  'POST /audio/transcriptions': form((body) => transcriptionForm(body, 'transcribe')),
  'POST /audio/translations': form((body) => transcriptionForm(body, 'translate')),
  'POST /files': form(newFile),
  'POST /vector_stores': json(storeSchema, filesOfStore),
  'POST /vector_stores/{store}': json(storeChangeSchema),
  'POST /vector_stores/{store}/search': json(searchSchema, ({ filters }) =>
    filters == null ? undefined : readFilter(filters, 'filters'),
  ),
  'POST /vector_stores/{store}/files': json(memberSchema, (body) => newMember(body)),
  'POST /vector_stores/{store}/files/{file}': json(memberChangeSchema, ({ attributes }) =>
    checkAttributes(attributes, 'attributes'),
  ),
  'POST /vector_stores/{store}/file_batches': json(batchSchema, filesOfBatch),
  // A body would not be read.
  'POST /vector_stores/{store}/file_batches/{batch}/cancel': () => [],
  'POST /models/{model}/install': managing,
  'POST /models/{model}/load': json(loadingSchema),
  'POST /models/{model}/unload': managing,
  'DELETE /models/{model}': managing,
};

/**
 * Checks the fields of a request before it is sent, with the code that answers it. Whether the model exists and can do
 * what is asked is known only once the request is sent.
 *
 * @param path - below the base URL, as docs/api.md writes it: `/chat/completions`, `/models/{model}/load`
 * @param body - the value of the JSON, or the form of `/audio/transcriptions`, `/audio/translations` and `/files`
 * @returns refused fields, then ignored ones; empty for a request that is fine, and for requests without a body
 */
export function checkRequest(method: string, path: string, body: unknown): Finding[] {
  const name = `${method} ${path}`;
  return Object.hasOwn(CHECKERS, name) ? (CHECKERS[name]?.(body) ?? []) : [];
}

/**
 * @param further - what else is checked once the schema fits
 * @param leaves - the fields that are left out of a request that fits
 */
function json<S extends v.GenericSchema>(
  schema: S,
  further?: (body: v.InferOutput<S>) => unknown,
  leaves: (body: v.InferOutput<S>) => LeftOut[] = () => [],
): Checker {
  return (body) => {
    const odd = thrown(() => checkShape(body));
    if (odd.length > 0) return odd;
    const result = v.safeParse(schema, body);
    const left = result.success ? leaves(result.output) : [];
    const unused = [...left.map(({ path }) => path), ...unusedFields(schema, body)];
    const ignored = unused.map((path) => finding('ignored', path, ''));
    if (result.success) return [...thrown(() => further?.(result.output)), ...ignored];
    const refused = result.issues.map((issue) => {
      const path = (issue.path ?? []).map(({ key }) =>
        typeof key === 'number' ? key : String(key),
      );
      return finding('refused', path, faultOf(issue).message);
    });
    return [
      ...refused,
      ...ignored.filter(({ field }) => refused.every((it) => it.field !== field)),
    ];
  };
}

/** Checks the fields of a URL, where each one is a text. */
function query(body: unknown): Finding[] {
  const url = new URL('https://localhost');
  for (const [name, value] of Object.entries(body ?? {})) url.searchParams.set(name, String(value));
  return thrown(() => parseValue(speechQuery(url), speechRequestSchema));
}

function form(read: (body: FormData) => unknown): Checker {
  return (body) => (body instanceof FormData ? thrown(() => read(body)) : []);
}

/** The finding for the API error that `check` throws. */
function thrown(check: () => unknown): Finding[] {
  try {
    check();
    return [];
  } catch (error) {
    const { message, param } = toErrorData(error);
    return [finding('refused', pathOf(param ?? ''), message)];
  }
}

/** `messages[0].content` → messages, 0, content. */
function pathOf(field: string): Path {
  return [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) =>
    index === undefined ? name : Number(index),
  );
}

function finding(kind: Finding['kind'], path: Path, message: string): Finding {
  return { kind, field: fieldName(path), path, message };
}
