import type { AudioFormat } from '../../src/core/protocol/jobs.ts';

/** @param sampleRate - hertz; nothing in the bytes of PCM tells it */
export function contentType(format: AudioFormat, sampleRate: number): string {
  if (format === 'pcm') return `audio/pcm;rate=${sampleRate}`;
  return format === 'mp3' ? 'audio/mpeg' : 'audio/wav';
}
