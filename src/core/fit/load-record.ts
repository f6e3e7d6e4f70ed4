import { offersRevision, type Variant } from '../catalog/variant.ts';

/** A load that has begun and not ended. */
export interface RunningLoad {
  /** The Web Lock of the engine that loads: if nobody holds it any more, the engine has ended. */
  engine: string;
  /** Tokens. */
  contextLength: number;
}

/** What went wrong when a variant of a model was loaded or used on this device. */
export interface LoadRecord {
  model: string;
  /** Id of the variant. */
  variant: string;
  /** Of its files: what is known of other files does not count. */
  revision: string;
  /** The browser and its GPU: what another version of the browser did does not count. */
  surroundings: string;
  running?: RunningLoad;
  /** How many loads in a row have ended the tab, or the engine's worker. */
  crashes: number;
  /** The next load gets at most this many tokens, because there was no memory for more. */
  contextLimit?: number;
  /** How often the GPU has failed in a row, without an answer between. */
  gpuFailures: number;
  /** How it failed the last time. */
  gpuFailure?: string;
}

/** After this many failures in a row, a model does not use the GPU any more if it can do without. */
export const MOST_GPU_FAILURES = 2;

/** After this many crashes in a row, a load needs someone who asks for it in spite of them. */
export const MOST_CRASHES = 2;

/** After a crash, and where memory did not suffice, a context is cut to this part of what it was. */
const CUT = 1 / 4;

/** The record of a variant's files, if there is one. */
export function recordOf(
  records: readonly LoadRecord[] = [],
  model: string,
  variant: Variant,
): LoadRecord | undefined {
  const record = records.find((each) => each.model === model && each.variant === variant.id);
  if (!record) return undefined;
  const { installed } = variant;
  const isOfFiles = installed
    ? installed.revision === record.revision
    : offersRevision(variant, record.revision);
  return isOfFiles ? record : undefined;
}

/** The engine has ended while it loaded the model, and nobody had ended it. */
export function afterCrash(record: LoadRecord): LoadRecord {
  const { running } = record;
  const counted = { ...afterEnd(record), crashes: record.crashes + 1 };
  return running ? withLess(counted, running.contextLength) : counted;
}

/** A load with a context of this length has failed for lack of memory, tokens. */
export function withLess(record: LoadRecord, contextLength: number): LoadRecord {
  const { contextLimit = Infinity } = record;
  return { ...record, contextLimit: Math.min(contextLimit, Math.floor(contextLength * CUT)) };
}

/** Whether a load with a context of this length, tokens, takes as much as the one that has failed. */
export function isNoLess({ contextLimit = Infinity }: LoadRecord, contextLength: number): boolean {
  return Math.floor(contextLength * CUT) >= contextLimit;
}

/** The load has ended in another way than by a crash. */
export function afterEnd(record: LoadRecord): LoadRecord {
  const { running: _, ...rest } = record;
  return rest;
}

/** The model is in memory. Whatever once was the matter with its GPU shows only when it answers. */
export function afterLoad(record: LoadRecord): LoadRecord {
  return { ...afterEnd(record), crashes: 0 };
}

/** @param isFinal - it will fail again: there need not be a second time */
export function afterGpuFailure(record: LoadRecord, why: string, isFinal: boolean): LoadRecord {
  const gpuFailures = isFinal ? MOST_GPU_FAILURES : record.gpuFailures + 1;
  return { ...record, gpuFailures, gpuFailure: why };
}

/** The model has given an answer. */
export function afterAnswer(record: LoadRecord): LoadRecord {
  const { gpuFailure: _, ...rest } = record;
  return { ...rest, gpuFailures: 0 };
}

/** Nothing in it makes a difference. */
export function isForgettable(record: LoadRecord): boolean {
  const { running, crashes, contextLimit, gpuFailures } = record;
  return !running && crashes === 0 && gpuFailures === 0 && contextLimit === undefined;
}
