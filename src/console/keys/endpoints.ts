import type { Endpoint } from '../../index.ts';

/** As the API has them. */
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
