import { Stretch, type SampleBuffer } from '@soundtouchjs/core';

/** Silence that pushes the end of the sound out of the stretcher's windows, seconds at tempo 1. */
const TAIL_SECONDS = 0.3;

/**
 * Makes sound faster or slower, without changing its pitch (WSOLA).
 *
 * @param samples - mono
 * @param sampleRate - hertz
 * @param tempo - 2 is twice as fast
 * @returns `samples.length / tempo` samples
 */
export function timeStretch(
  samples: Float32Array,
  sampleRate: number,
  tempo: number,
): Float32Array {
  if (tempo === 1 || samples.length === 0) return samples;
  const stretch = new Stretch({ createBuffers: true, sampleRate });
  stretch.tempo = tempo;
  // The quick search skips offsets, which is audible at low tempos.
  stretch.quickSeek = false;
  const { inputBuffer, outputBuffer } = stretch;
  if (!inputBuffer || !outputBuffer) throw new Error('The stretcher has no buffers.');
  inputBuffer.putSamples(
    stereo(samples, Math.ceil(TAIL_SECONDS * sampleRate * Math.max(1, tempo))),
  );
  stretch.process();
  return left(outputBuffer, Math.round(samples.length / tempo));
}

/** The library needs two channels. */
function stereo(samples: Float32Array, silence: number): Float32Array {
  const both = new Float32Array(2 * (samples.length + silence));
  samples.forEach((sample, index) => both.fill(sample, 2 * index, 2 * index + 2));
  return both;
}

function left(buffer: SampleBuffer, length: number): Float32Array {
  const both = new Float32Array(2 * length);
  buffer.extract(both, 0, Math.min(length, buffer.frameCount));
  return Float32Array.from({ length }, (_, index) => both[2 * index] ?? 0);
}
