import type { Goal } from './verdict.ts';

/**
 * Goals by figure. A figure without a goal explains another one. Sizes are in kilobytes of 1000 bytes,
 * times in milliseconds (`_ms`) or microseconds (`_us`).
 */
export const GOALS: Record<string, Goal> = {
  'chat.tiny.decode_ratio': { atLeast: 0.97 },
  'chat.smollm2.decode_ratio': { atLeast: 0.97 },
  'chat.tiny.ttft_added_ms': { atMost: 10 },
  'kv.tiny.prefill_ratio': { atMost: 0.25 },
  'kv.smollm2.prefill_ratio': { atMost: 0.25 },
  'reload.tiny.ratio': { atMost: 1 },
  'reload.smollm2.ratio': { atMost: 1 },
  'load.tiny.ratio': { atMost: 1 },
  'load.smollm2.ratio': { atMost: 1 },
  'takeover.tiny.added_ms': { atMost: 200 },
  'takeover.smollm2.added_ms': { atMost: 200 },
  'takeover.tiny.warm_pause_ms': { atMost: 200 },
  'takeover.smollm2.warm_pause_ms': { atMost: 200 },
  'cold.first_byte_ms': { atMost: 50 },
  'download.ratio': { atLeast: 0.9 },
  'mp3.times_real_time': { atLeast: 100 },
  'speech.ten.cost_ratio': { atMost: 1.02 },
  'speech.twice_five.first_byte_ratio': { atMost: 0.75 },
  'speech.sixty.cost_ratio': { atMost: 1.02 },
  'speech.sixty.first_byte_ratio': { atMost: 0.5 },
  'size.sw_gzip_kb': { atMost: 40 },
  'size.page_gzip_kb': { atMost: 10 },
  'api.request_us': { atMost: 150 },
  'api.chunk_us': { atMost: 10 },
  'api.full.request_us': { atMost: 150 },
  'api.full.chunk_us': { atMost: 10 },
};
