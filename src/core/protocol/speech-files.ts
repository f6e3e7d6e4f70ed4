/** What computes speech: the CPU, through WebAssembly, or the GPU. */
export type SpeechDevice = 'wasm' | 'webgpu';

/** The speech worker's script and its build of ONNX Runtime, in `dist/lib` and beside `sw.js`. */
export const SPEECH_BUILDS: Record<SpeechDevice, { script: string; wasm: string }> = {
  wasm: { script: 'speech.js', wasm: 'speech.wasm' },
  webgpu: { script: 'speech-gpu.js', wasm: 'speech-gpu.wasm' },
};

/** The script of each thread of `SPEECH_BUILDS.wasm`; only cross-origin isolated pages fetch it. */
export const SPEECH_THREAD = 'speech-thread.js';

/** LAME, as WebAssembly. */
export const MP3_ENCODER = 'speech-mp3.wasm';

/** The files that only pages that speak need. */
export const SPEECH_FILES = [
  ...Object.values(SPEECH_BUILDS).flatMap(({ script, wasm }) => [script, wasm]),
  SPEECH_THREAD,
  MP3_ENCODER,
];
