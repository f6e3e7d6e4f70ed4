/** Where a model of ONNX Runtime and the runtime are. */
export interface DirectOnnxModel {
  /** Absolute URL of the pack's folder; ends in "/". */
  pack: string;
  /** URL of ONNX Runtime's WebAssembly, the same file that our side uses. */
  runtime: string;
}

/** Page → worker that runs transformers.js. */
export type ToEmbedWorker =
  { type: 'load'; model: DirectOnnxModel } | { type: 'embed'; texts: string[] };

/** Worker → page: one for each request, in their order. */
export type FromEmbedWorker =
  | { type: 'loaded' }
  /** The vectors, one after the other. */
  | { type: 'embedded'; values: Float32Array<ArrayBuffer> }
  | { type: 'failed'; message: string };
