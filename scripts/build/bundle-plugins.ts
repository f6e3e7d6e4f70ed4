import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Plugin } from 'vite';
import { ROOT } from './stamp.ts';

const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
);

/** Plugin of Vite and Rolldown: a bundle contains only the version of package.json, as a constant. */
export const versionOnly = {
  name: 'version-only',
  transform: (code: string, id: string) =>
    id.endsWith('/src/core/version.ts')
      ? code
          .replace(/^import manifest .*$/m, '')
          .replace('manifest.version', JSON.stringify(version))
      : undefined,
};

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
