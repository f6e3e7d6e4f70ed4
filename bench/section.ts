import type { Graphics } from '../test/browser/support/browser/chromium.ts';
import type { RawBrowser } from './raw-browser.ts';
import { withBrowser } from './browser.ts';
import type { Reading } from './figures.ts';
import { benchModel, WORKLOADS, type BenchModel, type PairCounts } from './models.ts';
import { webLlmSides, type Sides } from './sides.ts';

/** What all launches share. */
export interface Setup {
  /** Origin of the bench's server; empty if no section needs it. */
  origin: string;
  /** Folders of model packs. */
  packs: string[];
  /** Pairs of measurements in each launch; without it, each section has its own number. */
  pairs?: number | undefined;
}

/** A fresh browser, or a fresh Node process, in which a section is measured once. */
export interface Launch extends Setup {
  /** True of every second launch: the two sides are loaded and measured in the opposite order. */
  isSwapped: boolean;
}

export type ModelName = keyof typeof WORKLOADS;

/** Why a section cannot be measured on this machine. */
export class NotHereError extends Error {}

/** A part of the report that can be measured by itself. */
export interface Section {
  name: string;
  /** The model that must be on the bench's site. */
  model?: ModelName | 'kokoro' | 'embedder' | 'minilm' | 'recogniser' | 'seer';
  /** True if one launch is enough, because the goals of the section are for counts. */
  isExact?: boolean;
  /** True if it takes so long that only its own name selects it. */
  isOnRequest?: boolean;
  measure(launch: Launch): Promise<Reading[]>;
}

/** A launch of a browser that asks one model. */
export interface ModelLaunch {
  browser: RawBrowser;
  origin: string;
  model: BenchModel;
  isSwapped: boolean;
  /** The two sides; default: WebLLM on both. */
  sides: Sides;
}

/**
 * Measures in a fresh browser.
 *
 * @param graphics - default: a GPU that the CPU emulates
 */
export function inBrowser<T>(
  name: ModelName,
  { origin, packs, pairs, isSwapped }: Launch,
  measure: (launch: ModelLaunch) => Promise<T>,
  graphics?: Graphics,
): Promise<T> {
  const workload = WORKLOADS[name];
  const counts = pairs === undefined ? workload.pairs : sameForAll(workload.pairs, pairs);
  const model = benchModel({ ...workload, pairs: counts }, packs);
  const sides = webLlmSides(model, origin);
  return withBrowser((browser) => measure({ browser, origin, model, isSwapped, sides }), graphics);
}

function sameForAll({ ttft, options }: PairCounts, pairs: number): PairCounts {
  return {
    decode: pairs,
    reload: pairs,
    takeover: pairs,
    ...(ttft !== undefined && { ttft: pairs }),
    ...(options !== undefined && { options: pairs }),
  };
}
