import { offersRevision, type Variant } from '../catalog/variant.ts';

/** A load that has begun and not ended. */
export interface RunningLoad {
  /** The Web Lock of the engine that loads: if it is free, the engine has ended. */
  engine: string;
  /** Tokens. */
  contextLength: number;
}

/** What went wrong when a variant of a model was loaded or used on this device. */
export interface LoadRecord {
  model: string;
  /** Id of the variant. */
  variant: string;
  /** Revision of its files: a record does not apply to other files. */
  revision: string;
  /** The browser and its GPU: a record does not apply to another version of the browser. */
  surroundings: string;
  running?: RunningLoad;
  /** How many loads in a row have ended the tab, or the engine's worker. */
  crashes: number;
  /** The next load gets at most this many tokens, because there was no memory for more. */
  contextLimit?: number;
  /** How often the GPU has failed in a row, without an answer in between. */
  gpuFailures: number;
  /** The message of its last failure. */
  gpuFailure?: string;
  /** The Web Lock of the only engine for which these failures count; undefined: they count for all. */
  gpuFailedIn?: string;
  /** Why the CPU computes the images of the model, which is on the GPU itself. */
  imagesOnCpu?: string;
}

/**
 * What a failure of the GPU says. `final`: it would repeat itself. `passing`: the GPU was lost, and another device of it may
 * work. `site`: the site's file for GPUs cannot be used, which the next engine tries again.
 */
export type GpuFault = 'final' | 'passing' | 'site';

/** After this many failures in a row, a model no longer uses the GPU if it can run without. */
export const MOST_GPU_FAILURES = 2;

/** After this many crashes in a row, a model is loaded only with the option `anyway`. */
export const MOST_CRASHES = 2;

/** After a crash, or if memory did not suffice, the context is cut to this fraction. */
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

/** The record after a crash: the engine ended by itself while it loaded the model. */
export function afterCrash(record: LoadRecord): LoadRecord {
  const { running } = record;
  const counted = { ...afterEnd(record), crashes: record.crashes + 1 };
  return running ? withLess(counted, running.contextLength) : counted;
}

/** The record after a load with a context of this length, tokens, has failed for lack of memory. */
export function withLess(record: LoadRecord, contextLength: number): LoadRecord {
  const { contextLimit = Infinity } = record;
  return { ...record, contextLimit: Math.min(contextLimit, Math.floor(contextLength * CUT)) };
}

/** Whether a load with a context of this length, tokens, takes as much memory as the one that has failed. */
export function isNoLess({ contextLimit = Infinity }: LoadRecord, contextLength: number): boolean {
  return Math.floor(contextLength * CUT) >= contextLimit;
}

/** The record after a load that ended without a crash. */
export function afterEnd(record: LoadRecord): LoadRecord {
  const { running: _, ...rest } = record;
  return rest;
}

/** The record after a successful load. GPU failures stay counted: they show only when the model answers. */
export function afterLoad(record: LoadRecord): LoadRecord {
  return { ...afterEnd(record), crashes: 0 };
}

/** @param engine - the Web Lock of the engine whose GPU has failed */
export function afterGpuFailure(
  record: LoadRecord,
  why: string,
  fault: GpuFault,
  engine: string,
): LoadRecord {
  const { gpuFailedIn: _, ...rest } = record;
  const gpuFailures = fault === 'passing' ? record.gpuFailures + 1 : MOST_GPU_FAILURES;
  const counted = { ...rest, gpuFailures, gpuFailure: why };
  return fault === 'site' ? { ...counted, gpuFailedIn: engine } : counted;
}

/** The record after an answer: the failures of the GPU before it count no longer. */
export function afterAnswer(record: LoadRecord): LoadRecord {
  const { gpuFailure: _, gpuFailedIn: __, ...rest } = record;
  return { ...rest, gpuFailures: 0 };
}

/** The record after a load on the GPU. @param why - why the CPU computes images; undefined: it does not */
export function afterImages(record: LoadRecord, why: string | undefined): LoadRecord {
  const { imagesOnCpu: _, ...rest } = record;
  return why === undefined ? rest : { ...rest, imagesOnCpu: why };
}

/** Whether nothing in the record makes a difference. */
export function isForgettable(record: LoadRecord): boolean {
  const { running, crashes, contextLimit, gpuFailures, imagesOnCpu } = record;
  const isFailure = crashes > 0 || gpuFailures > 0;
  return !running && !isFailure && contextLimit === undefined && imagesOnCpu === undefined;
}
