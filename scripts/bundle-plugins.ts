import type { Plugin } from 'vite';

/** An id that no file has. */
const MODEL_LIST = '\0model-list';

/**
 * Vite plugin for the engine: replaces WebLLM with its list of models, which is the same on each device.
 */
export const modelList: Plugin = {
  name: 'model-list',
  enforce: 'pre',
  resolveId: (source) => (source === '@mlc-ai/web-llm' ? MODEL_LIST : undefined),
  load: async (id) => {
    if (id !== MODEL_LIST) return undefined;
    const { prebuiltAppConfig, modelLibURLPrefix, ModelType } = await import('@mlc-ai/web-llm');
    return Object.entries({ prebuiltAppConfig, modelLibURLPrefix, ModelType })
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n');
  },
};

/** Vite plugin: makes a bundle import the page library from the file beside it, so that a page has one copy of it. */
export const besidePageLibrary: Plugin = {
  name: 'beside-page-library',
  enforce: 'pre',
  resolveId: (source) =>
    source === '../index.ts' ? { id: './slashv1.js', external: true } : undefined,
};
