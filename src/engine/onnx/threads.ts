/** As ONNX Runtime: others have to be asked for. */
const MOST = 4;

/** What a worker's global scope tells. */
export interface Surroundings {
  crossOriginIsolated: boolean;
  navigator: { hardwareConcurrency: number };
}

/**
 * How many threads compute speech. Without cross-origin isolation they cannot share memory. By default as
 * ONNX Runtime chooses: two cores of which browsers tell are often one.
 */
export function speechThreads(
  wanted: number | undefined,
  { crossOriginIsolated, navigator }: Surroundings,
): number {
  if (!crossOriginIsolated) return 1;
  return wanted ?? Math.min(MOST, Math.ceil(navigator.hardwareConcurrency / 2));
}
