import { VERSION } from '../version.ts';
import type { ComputeDevice } from '../realms/device-report.ts';

/** The worker's script and its build of ONNX Runtime, in `dist/lib` and beside `sw.js`. */
export const ONNX_BUILDS: Record<ComputeDevice, { script: string; wasm: string }> = {
  wasm: { script: 'onnx.js', wasm: 'onnx.wasm' },
  webgpu: { script: 'onnx-gpu.js', wasm: 'onnx-gpu.wasm' },
};

/** The script of each thread of `ONNX_BUILDS.wasm`; only cross-origin isolated pages fetch it. */
export const ONNX_THREAD = 'onnx-thread.js';

/** The sounds of English words. The worker imports it when a model reads phonemes. */
export const ENGLISH = 'speech-english.js';

/** The script's address names its version, like `WEBLLM_URL`. */
export const ENGLISH_URL = `${ENGLISH}?${VERSION}`;

/** LAME, as WebAssembly. */
export const MP3_ENCODER = 'speech-mp3.wasm';

/** Silero VAD, which tells speech from noise: fetched with the first recording. Without it, loudness decides. */
export const VOICE_DETECTOR = 'onnx-voice.onnx';

/** The files that every model of ONNX Runtime needs, and the voice detector for recordings. */
export const ONNX_FILES = [
  ...Object.values(ONNX_BUILDS).flatMap(({ script, wasm }) => [script, wasm]),
  ONNX_THREAD,
  VOICE_DETECTOR,
];

/** Further files, which only speech needs. */
export const SPEECH_FILES = [ENGLISH, MP3_ENCODER];
