import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tokens of a request. */
export interface Lengths {
  prompt: number;
  answer: number;
}

/** Who asks, and who answers. */
export interface Site {
  /** Visitors per day. */
  visitors: number;
  /** Requests of a visitor per day. */
  requests: number;
  /** Part of the day's requests that arrive in its busiest hour. */
  busiestHour: number;
  /** Part of the visitors whose device answers what fits it. */
  deviceShare: number;
  /** Tokens of prompt and answer that fit a device. */
  deviceContext: number;
}

/** A replica of the engine, always as slow as when all its slots are busy. */
export interface Replica {
  /** Requests that it serves at once. */
  slots: number;
  /** Tokens of prompts that it reads per second. */
  prefill: number;
  /** Seconds in which each busy slot writes one token. */
  step: number;
  /** Per hour, in any currency. */
  price: number;
}

/** What the cluster gets. */
export interface Demand {
  /** Requests per second in the busiest hour. */
  rate: number;
  /** Part of all requests. */
  share: number;
  /** Mean tokens of a request. */
  mean: Lengths;
}

/**
 * Lengths of 150 consecutive requests of Azure's LLM inference trace 2023 (conversations, 16 November 2023, 18:34:00 to
 * 18:34:26), CC BY 4.0: https://github.com/Azure/AzurePublicDataset, data/AzureLLMInferenceTrace_conv.csv.
 */
export function recordedLengths(): Lengths[] {
  const text = readFileSync(join(import.meta.dirname, 'lengths.csv'), 'utf8');
  const [, ...rows] = text.trim().split('\n');
  return rows.map((row) => {
    const [prompt = 0, answer = 0] = row.split(',').map(Number);
    return { prompt, answer };
  });
}

/** Seconds that a busy replica takes for a request: the slots take turns at reading their prompts. */
export function serviceSeconds({ prompt, answer }: Lengths, { slots, prefill, step }: Replica) {
  return (slots * prompt) / prefill + answer * step;
}

export function demandOf(recorded: readonly Lengths[], site: Site): Demand {
  const weights = recorded.map((lengths) => (fits(lengths, site) ? 1 - site.deviceShare : 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const mean = (of: (lengths: Lengths) => number) =>
    recorded.reduce((total, lengths, at) => total + of(lengths) * (weights[at] ?? 0), 0) / sum;
  const share = sum / recorded.length;
  const all = (site.visitors * site.requests * site.busiestHour) / 3600;
  return {
    rate: all * share,
    share,
    mean: { prompt: mean(({ prompt }) => prompt), answer: mean(({ answer }) => answer) },
  };
}

const NONE: Lengths = { prompt: 0, answer: 0 };

/** Draws requests that devices leave to the cluster. */
export function clusterRequests(
  recorded: readonly Lengths[],
  site: Site,
  random: () => number,
): () => Lengths {
  const draw = (): Lengths => {
    const lengths = recorded[Math.floor(random() * recorded.length)] ?? NONE;
    return fits(lengths, site) && random() < site.deviceShare ? draw() : lengths;
  };
  return draw;
}

function fits({ prompt, answer }: Lengths, { deviceContext }: Site): boolean {
  return prompt + answer <= deviceContext;
}
