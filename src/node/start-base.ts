import { readFileSync } from 'node:fs';
import type { Plugin, ResolvedConfig } from 'vite';
import { libraryFile } from './library-files.ts';

const PACKAGE = 'slashv1';
/** The module that pages import instead: the page library, with the folder of the site as the default of `base`. */
const WITH_BASE = '\0slashv1';

/**
 * Vite plugin that tells `start()` where `sw.js` is, so that pages may be in other folders.
 *
 * @param library - as in Slashv1Options
 */
export function startBase(library?: string): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'slashv1:base',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    // The page library is one file: there is nothing to bundle in advance.
    config: () => ({ optimizeDeps: { exclude: [PACKAGE] } }),
    configResolved(resolved) {
      config = resolved;
    },
    resolveId: (source, importer) =>
      source === PACKAGE && importer !== WITH_BASE ? WITH_BASE : undefined,
    load(id) {
      if (id !== WITH_BASE) return undefined;
      const { base, command } = config;
      if (command === 'serve' || base.startsWith('/')) return withBase(JSON.stringify(base));
      // If the scripts are on another host, their URL does not tell where the pages are.
      if (/^https?:/.test(base)) return withBase('undefined');
      const file = {
        fileName: 'engine.js',
        source: readFileSync(libraryFile('engine.js', library)),
      };
      const engine = this.emitFile({ type: 'asset', ...file });
      return withBase(`new URL('.', import.meta.ROLLUP_FILE_URL_${engine})`);
    },
  };
}

/** @param base - a JavaScript expression */
function withBase(base: string): string {
  return `export * from '${PACKAGE}';
import { start as begin } from '${PACKAGE}';
export const start = (options) => begin({ ...options, base: options?.base ?? ${base} });
`;
}
