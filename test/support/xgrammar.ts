import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import type * as XGrammar from '@mlc-ai/web-xgrammar';

/**
 * The grammar engine that WebLLM contains. The package is a CommonJS script although it declares itself an ES
 * module, so it is compiled by hand.
 */
export function loadXGrammar(): typeof XGrammar {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@mlc-ai/web-xgrammar');
  const module = { exports: {} as typeof XGrammar };
  const run = compileFunction(
    readFileSync(file, 'utf8'),
    ['exports', 'require', 'module', '__filename', '__dirname'],
    { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
  ) as (...values: unknown[]) => void;
  run(module.exports, require, module, file, dirname(file));
  return module.exports;
}
