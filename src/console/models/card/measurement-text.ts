import type { CatalogModel, Measurement } from '../../../index.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { formatDate, formatRate } from '../../ui/format.ts';
import { isReadyToUse } from '../stages.ts';

/**
 * Whether a model can be measured. Transcription would need a recording, and the browser's own model reports no tokens.
 */
export function canBeMeasured(model: CatalogModel): boolean {
  const { task, variant } = model;
  return isReadyToUse(model) && task !== 'transcription' && variant.engine !== 'builtin';
}

/** `Reads 812 tokens a second · Writes 42.1 tokens a second · Measured on Mar 4, 2026`. */
export function describeMeasurement(measurement: Measurement): string {
  const { at, readTokensPerSecond, writtenTokensPerSecond, soundPerSecond } = measurement;
  const text = messages.value.models.measurement;
  const parts = [
    readTokensPerSecond !== undefined &&
      fill(text.reads, { tokens: formatRate(readTokensPerSecond) }),
    writtenTokensPerSecond !== undefined &&
      fill(text.writes, { tokens: formatRate(writtenTokensPerSecond) }),
    soundPerSecond !== undefined && fill(text.speaks, { times: formatRate(soundPerSecond) }),
    fill(text.at, { date: formatDate(at) }),
  ];
  return parts.filter((part) => part !== false).join(' · ');
}
