/** Where a speech model's files are. */
export interface DirectVoice {
  /** Folder of the pack, absolute, ends in "/". */
  pack: string;
  voice: string;
  /** ONNX Runtime's WebAssembly: the one that our side runs on. */
  runtime: string;
}

/** Page → worker that runs kokoro-js. */
export type ToSpeechWorker =
  | { type: 'load'; voice: DirectVoice }
  /** In one call, or as kokoro-js itself parts it into sentences. */
  | { type: 'speak'; text: string; by: 'text' | 'sentence' };

/** Worker → page, for one request at a time. */
export type FromSpeechWorker =
  | { type: 'loaded' }
  /** Seconds of sound that came. */
  | { type: 'audio'; samples: Float32Array<ArrayBuffer>; seconds: number }
  | { type: 'spoken' }
  | { type: 'failed'; message: string };
