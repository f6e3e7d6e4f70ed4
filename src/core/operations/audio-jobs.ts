import type { ClientRights, Repeatable } from '../errors/job-parts.ts';

/**
 * All mono. WAV: RIFF, 16-bit PCM. MP3: MPEG audio layer III. PCM: as in WAV, without a header. Opus in Ogg,
 * AAC in ADTS and FLAC need an encoder of the browser.
 */
export type AudioFormat = 'wav' | 'mp3' | 'pcm' | 'opus' | 'aac' | 'flac';

export interface SpeakRequest extends ClientRights, Repeatable {
  model: string;
  text: string;
  /** Id of one of the model's voices. */
  voice: string;
  /** One of the voice's languages, as the catalog writes it. */
  language: string;
  /** 0.25 to 4; the pitch stays the same. */
  speed: number;
  format: AudioFormat;
}

/** Up to where a recording has been read, and in which language. */
export interface HeardSoFar {
  /** From the beginning of the recording. */
  seconds: number;
  /** Undefined: it was silent so far. */
  language?: string;
}

export interface TranscribeRequest extends ClientRights, Repeatable {
  model: string;
  /** In any container and encoding that the browser can decode. */
  audio: Blob;
  /** The same for all jobs that read this recording, one after the other. */
  recording: string;
  /** A translation is into English. */
  task: 'transcribe' | 'translate';
  /** One of the model's, ISO 639-1; undefined: the model finds out. */
  language?: string;
  /** Text that the recording might follow: it guides style and spelling. */
  prompt?: string;
  /** 0 to 1; undefined: 0, and more where that fails. */
  temperature?: number;
  /** Also tell when each word was said. */
  words?: boolean;
  /** Undefined: read it from the beginning. */
  from?: HeardSoFar;
}
