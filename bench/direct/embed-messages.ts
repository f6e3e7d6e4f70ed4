/** Locations of an ONNX model and of ONNX Runtime. */
export interface DirectOnnxModel {
  /** Absolute URL of the pack's folder; ends in "/". */
  pack: string;
  /** URL of ONNX Runtime's WebAssembly, the same file that our side uses. */
  runtime: string;
}

/** Page → worker that runs transformers.js. */
export type ToEmbedWorker =
  { type: 'load'; model: DirectOnnxModel } | { type: 'embed'; texts: string[] };

/** Worker → page: one message for each request, in the order of the requests. */
export type FromEmbedWorker =
  | { type: 'loaded' }
  /** The vectors, one after the other. */
  | { type: 'embedded'; values: Float32Array<ArrayBuffer> }
  | { type: 'failed'; message: string };
