import type { AudioFormat } from '../../src/core/protocol/jobs.ts';

export const CONTENT_TYPES: Record<AudioFormat, string> = { wav: 'audio/wav', mp3: 'audio/mpeg' };
