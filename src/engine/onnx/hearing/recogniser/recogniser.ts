import type { Pace } from '../pace.ts';
import type { Word } from './words.ts';

/** How to read one window of a recording. */
export interface WindowRequest extends Pace {
  task: 'transcribe' | 'translate';
  /** Undefined: the model detects it. */
  language: string | undefined;
  /** Text that the model takes as said before the window. */
  earlier: string;
  /** 0: the likeliest tokens; if they repeat themselves or are very unlikely, higher ones are tried. */
  temperature: number;
  withWords: boolean;
}

/** A stretch of speech; times are seconds from the beginning of the window. */
export interface WindowSegment {
  start: number;
  end: number;
  text: string;
  tokens: number[];
  words?: Word[];
}

/** What was heard in a window. */
export interface HeardWindow {
  segments: WindowSegment[];
  /** How much of the window was read, samples. The rest belongs to the next window. */
  consumed: number;
  language: string;
  temperature: number;
  averageLogprob: number;
  compressionRatio: number;
  /** 0 to 1. */
  noSpeech: number;
  /** Tokens that the decoder has read and written. */
  tokens: { read: number; written: number };
}

/** A model in memory that writes down what is said. */
export interface Recogniser {
  /** How much sound it hears at once. */
  readonly window: { samples: number; sampleRate: number };
  /**
   * Writes what is said in a window.
   *
   * @param samples - at most those of a window; fewer at the end of the recording
   * @throws the signal's reason at the next token, if it is aborted
   */
  hear(samples: Float32Array, request: WindowRequest): Promise<HeardWindow>;
  dispose(): Promise<void>;
}
