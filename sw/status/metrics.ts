import { onlyEvent } from '../../src/core/port/engine.ts';
import type { Context } from '../context.ts';

/** `GET v1/metrics`: for Prometheus. A key sees its own models only. */
export async function metrics({ engine, key, signal }: Context): Promise<Response> {
  const job = { op: 'metrics' as const, ...(key.models && { models: key.models }) };
  const { text } = await onlyEvent(engine, job, signal);
  return new Response(text, {
    headers: {
      'content-type': 'text/plain; version=0.0.4',
      'cache-control': 'no-store',
    },
  });
}
