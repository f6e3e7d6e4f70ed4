/** `npm run build [-- library types node site]`: builds all of `dist`, or the named parts. */
import { parseArgs } from 'node:util';
import { buildLibrary } from './build/build-library.ts';
import { buildNode } from './build/build-node.ts';
import { buildSite } from './build/build-site.ts';
import { buildTypes } from './build/build-types.ts';
import { messageOf } from '../src/core/text/message-of.ts';

export { buildLibrary } from './build/build-library.ts';
export { buildNode } from './build/build-node.ts';
export { buildTypes } from './build/build-types.ts';
export { SITE, buildSite } from './build/build-site.ts';

const PARTS: Record<string, () => Promise<void>> = {
  library: () => buildLibrary(),
  types: buildTypes,
  node: buildNode,
  site: async () => {
    const { defaultPacks } = await import('./build/packs.ts');
    await buildSite({ packs: await defaultPacks() });
  },
};

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    const part = PARTS[name];
    if (!part)
      throw new Error(
        `There is no part "${name}". The parts are ${Object.keys(PARTS).join(', ')}.`,
      );
    await part();
  }
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`build: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
