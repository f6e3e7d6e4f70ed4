/** Files of `dist/lib` that only pages which speak need, beside `sw.js`. */
export const SPEECH_FILES = [
  ...['speech.js', 'speech.wasm', 'speech-gpu.js', 'speech-gpu.wasm'],
  'speech-mp3.wasm',
];
