import type { Endpoint } from '../../index.ts';

/** Endpoints that a key can be limited to, named as in the API. */
export const ENDPOINTS: readonly Endpoint[] = [
  'chat/completions',
  'completions',
  'responses',
  'messages',
  'embeddings',
  'rerank',
  'tokenize',
  'detokenize',
  'audio/speech',
  'audio/transcriptions',
  'audio/translations',
  'audio/voices',
  'models',
  'metrics',
];
