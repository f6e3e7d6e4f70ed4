import * as english from '../../../src/engine/onnx/speech/english/library.ts';

/** Replaces `load-english.ts`, which imports this bundle from the site. */
export const loadEnglish = () => Promise.resolve(english);
