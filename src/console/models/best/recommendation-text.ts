import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { formatBytes, formatRate, formatSeconds } from '../../ui/format.ts';
import type { Recommendation } from './best-models.ts';

/** `491 MB · about 2 min to download · about 12 tokens/s`, without the time if the network's speed is not known. */
export function describeRecommendation(
  { model, speed }: Recommendation,
  downloadSpeed: number | undefined,
): string {
  const text = messages.value.models.best;
  const seconds = downloadSpeed === undefined ? undefined : model.bytes / downloadSpeed;
  return [
    formatBytes(model.bytes),
    seconds !== undefined && fill(text.time, { time: formatSeconds(Math.max(seconds, 1)) }),
    fill(text.speed, { rate: formatRate(speed) }),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}
