import type { DirectOnnxModel } from './embed-messages.ts';

/** Page → worker that runs transformers.js. */
export type ToHearWorker =
  | { type: 'load'; model: DirectOnnxModel }
  /** 16 kHz, mono. */
  | { type: 'hear'; samples: Float32Array };

/** Worker → page. There is one request at a time. */
export type FromHearWorker =
  { type: 'loaded' } | { type: 'heard'; text: string } | { type: 'failed'; message: string };
