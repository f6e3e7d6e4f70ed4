/** What a speech reports, in order: audio sentence by sentence, and `spoken` at its end. */
export type SpeakEvent =
  /** The next bytes of the audio file, its header first. */
  | { type: 'audio'; bytes: Uint8Array<ArrayBuffer> }
  /**
   * Every byte of the audio file has been sent. `header` replaces its first bytes: it states the
   * length, which was unknown when they were sent.
   */
  | { type: 'spoken'; seconds: number; header: Uint8Array<ArrayBuffer> };

/** A stretch of speech. Times are seconds from the beginning of the recording. */
export interface HeardSegment {
  start: number;
  end: number;
  /** Start of the window that it was heard in. `temperature` to `noSpeech` describe the whole window. */
  window: number;
  /** Text as the model wrote it, with the space before it. */
  text: string;
  tokens: number[];
  temperature: number;
  averageLogprob: number;
  compressionRatio: number;
  /** How likely it is that nobody spoke, 0 to 1. */
  noSpeech: number;
  /** The words and their times, if they were asked for. */
  words?: { word: string; start: number; end: number }[];
}

/** What a transcription reports: what was heard, in order, and `transcribed` at its end. */
export type TranscribeEvent =
  | {
      type: 'heard';
      segments: HeardSegment[];
      /** ISO 639-1; undefined: it was silent. */
      language?: string;
      /** How far the recording has been read, seconds. If unchanged, the window is still being read. */
      until: number;
      /** Tokens that were read and written for it; undefined: it was silent. */
      tokens?: { read: number; written: number };
    }
  /** The length of the recording. */
  | { type: 'transcribed'; seconds: number };
