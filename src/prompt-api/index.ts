/**
 * `slashv1/prompt-api`: the browser's Prompt API with a model of slashv1. The import gives the page a `LanguageModel`
 * if the browser has none.
 */
import { LanguageModel } from './language-model.ts';

export { LanguageModel };
export { configure } from './served-model.ts';
export type { PromptApiOptions } from './served-model.ts';
export type * from './types.ts';

// A server that renders the page imports it too.
if ('window' in globalThis && !('LanguageModel' in globalThis)) {
  Object.defineProperty(globalThis, 'LanguageModel', {
    value: LanguageModel,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}
