import { jobFault } from '../../../../core/errors/errors.ts';
import { Resampler } from './resampler.ts';

/** A piece of a recording, as it was decoded: one channel. */
export interface Sound {
  samples: Float32Array<ArrayBuffer>;
  /** Hertz. */
  sampleRate: number;
  /** Where it begins in the recording, seconds. */
  at: number;
}

/** Sample rates that recordings have, hertz. A header that states another one is wrong. */
const [LEAST_RATE, MOST_RATE] = [1_000, 384_000];
/** No sample is larger, even where a program forgot to scale 16 bits to ±1. */
const LOUDEST = 2 ** 16;

/**
 * Converts the pieces of a recording to another sample rate.
 *
 * @param from - where the result begins, seconds; the first piece may begin a little earlier
 * @throws ApiError 400 if a piece has no usual sample rate
 */
export async function* resampled(
  sounds: AsyncIterable<Sound>,
  from: number,
  sampleRate: number,
): AsyncGenerator<Float32Array<ArrayBuffer>, void, undefined> {
  let current: { from: number; resampler: Resampler } | undefined;
  let skip: number | undefined;
  for await (const { samples, sampleRate: rate, at } of sounds) {
    skip ??= Math.round(Math.max(0, from - at) * sampleRate);
    if (!(rate >= LEAST_RATE && rate <= MOST_RATE)) {
      throw jobFault('recording', `states a sample rate of ${rate} Hz, which no recording has.`);
    }
    if (current?.from !== rate) {
      if (current) yield current.resampler.end();
      current = { from: rate, resampler: new Resampler(rate, sampleRate) };
    }
    const piece = current.resampler.push(withoutFaults(samples));
    yield piece.subarray(Math.min(skip, piece.length));
    skip -= Math.min(skip, piece.length);
  }
  if (current) yield current.resampler.end();
}

/** Samples that are no numbers, or larger than any sound, become silent: one of them would spoil all that is near. */
function withoutFaults(samples: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  for (let index = 0; index < samples.length; index++) {
    if (!(Math.abs(samples[index] ?? 0) <= LOUDEST)) samples[index] = 0;
  }
  return samples;
}
