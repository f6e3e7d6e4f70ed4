/** `npm start [-- options]`: makes the default model's pack, builds our own site and serves it. */
import { endSignal } from '../src/node/end-signal.ts';
import { runProgram } from '../src/node/program.ts';
import { parseServeOptions, SERVE_HELP } from '../src/node/serve/options/options.ts';
import { UsageError } from '../src/node/command-line.ts';
import { ensureChromium } from './testing/ensure-browsers.ts';

await runProgram(async () => {
  const options = parseServeOptions(process.argv.slice(2));
  if (options === 'help') return void process.stdout.write(SERVE_HELP);
  if (options.folder !== '.') throw new UsageError('npm start serves the site of this repository.');
  // Checked before the build, because the build takes long.
  if (options.headless) await ensureChromium();
  const [{ buildSite, SITE }, { defaultPacks }, { serve }] = await Promise.all([
    import('./build.ts'),
    import('./build/packs.ts'),
    import('../src/node/serve/serve.ts'),
  ]);
  await buildSite({ packs: await defaultPacks() });
  await serve({ ...options, folder: SITE }, endSignal());
});
