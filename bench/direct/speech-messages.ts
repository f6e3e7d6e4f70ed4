/** Locations of a speech model's files. */
export interface DirectVoice {
  /** Absolute URL of the pack's folder; ends in "/". */
  pack: string;
  voice: string;
  /** URL of ONNX Runtime's WebAssembly, the same file that our side uses. */
  runtime: string;
}

/** Page → worker that runs kokoro-js. */
export type ToSpeechWorker =
  | { type: 'load'; voice: DirectVoice }
  /** `text`: the whole text in one call; `sentence`: kokoro-js splits it into sentences. */
  | { type: 'speak'; text: string; by: 'text' | 'sentence' };

/** Worker → page. There is one request at a time. */
export type FromSpeechWorker =
  | { type: 'loaded' }
  /** A piece of audio, and its length in seconds. */
  | { type: 'audio'; samples: Float32Array<ArrayBuffer>; seconds: number }
  | { type: 'spoken' }
  | { type: 'failed'; message: string };
