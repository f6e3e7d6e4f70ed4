/** `npm start [-- options]`: makes the default model's pack, builds our own site and serves it. */
import { findChromium } from '../src/node/browser.ts';
import { runProgram } from '../src/node/program.ts';
import { parseServeOptions, SERVE_HELP } from '../src/node/serve/options.ts';
import { UsageError } from '../src/node/usage-error.ts';

await runProgram(async (signal) => {
  const options = parseServeOptions(process.argv.slice(2));
  if (options === 'help') return void process.stdout.write(SERVE_HELP);
  if (options.folder !== '.') throw new UsageError('npm start serves the site of this repository.');
  // Before the build, which takes its time.
  if (options.headless) findChromium();
  const [{ buildSite, SITE }, { defaultPacks }, { serve }] = await Promise.all([
    import('./build.ts'),
    import('./packs.ts'),
    import('../src/node/serve/serve.ts'),
  ]);
  // A build can be left at any point, and nobody wants to wait for its end.
  const leave = () => process.exit(130);
  signal.addEventListener('abort', leave);
  await buildSite({ packs: await defaultPacks() });
  signal.removeEventListener('abort', leave);
  await serve({ ...options, folder: SITE }, signal);
});
