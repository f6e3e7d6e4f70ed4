import type { ClientRights, Repeatable } from './job-parts.ts';

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
  /** Hertz; undefined: the voice's own. */
  sampleRate?: number;
}

/** How far a recording has been read, and in which language. */
export interface HeardSoFar {
  /** Seconds from the beginning of the recording. */
  seconds: number;
  /** Undefined: it was silent so far. */
  language?: string;
}

export interface TranscribeRequest extends ClientRights, Repeatable {
  model: string;
  /** In any container and encoding that the browser can decode. */
  audio: Blob;
  /** Id of the recording, shared by all jobs that read it one after the other. */
  recording: string;
  /** A translation is into English. */
  task: 'transcribe' | 'translate';
  /** One of the model's languages, ISO 639-1; undefined: the model detects it. */
  language?: string;
  /** Text that the recording might follow: it guides style and spelling. */
  prompt?: string;
  /** 0 to 1; undefined: 0, and higher if that fails. */
  temperature?: number;
  /** Whether to report when each word was said. */
  words?: boolean;
  /** Undefined: read it from the beginning. */
  from?: HeardSoFar;
}
