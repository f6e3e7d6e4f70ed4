import type { SpeechDevice } from './messages.ts';

/** The speech worker's script and the build of ONNX Runtime that is for it, in `dist/lib` and beside `sw.js`. */
export const SPEECH_BUILDS: Record<SpeechDevice, { script: string; wasm: string }> = {
  wasm: { script: 'speech.js', wasm: 'speech.wasm' },
  webgpu: { script: 'speech-gpu.js', wasm: 'speech-gpu.wasm' },
};

/** What each thread of `SPEECH_BUILDS.wasm` begins with; fetched by cross-origin isolated pages alone. */
export const SPEECH_THREAD = 'speech-thread.js';

/** LAME, as WebAssembly. */
export const MP3_ENCODER = 'speech-mp3.wasm';

/** What only pages that speak need. */
export const SPEECH_FILES = [
  ...Object.values(SPEECH_BUILDS).flatMap(({ script, wasm }) => [script, wasm]),
  SPEECH_THREAD,
  MP3_ENCODER,
];
