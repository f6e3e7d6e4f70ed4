/** The endpoints that a key can be limited to, as paths below `v1`. Paths below one of them belong to it. */
export const ENDPOINTS = [
  'chat/completions',
  'completions',
  'responses',
  'conversations',
  'messages',
  'decisions',
  'systemone',
  'embeddings',
  'rerank',
  'files',
  'vector_stores',
  'tokenize',
  'detokenize',
  'audio/speech',
  'audio/transcriptions',
  'audio/translations',
  'audio/voices',
  'models',
  'metrics',
] as const;

export type Endpoint = (typeof ENDPOINTS)[number];
