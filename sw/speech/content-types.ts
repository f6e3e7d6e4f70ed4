import type { AudioFormat } from '../../src/core/operations/jobs.ts';

const TYPES: Record<Exclude<AudioFormat, 'pcm'>, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
};

/** @param sampleRate - hertz; nothing in the bytes of PCM tells it */
export function contentType(format: AudioFormat, sampleRate: number): string {
  return format === 'pcm' ? `audio/pcm;rate=${sampleRate}` : TYPES[format];
}
