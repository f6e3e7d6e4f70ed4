import type { ServerResponse } from 'node:http';
import type { StartOptions } from '../../../src/index.ts';
import { expect, openPage, test, TINY } from '../support/fixtures.ts';
import { isolate, serveTestSite } from '../support/site.ts';

// A server counts as silent after 20 seconds.
test.describe.configure({ timeout: 240_000 });

/**
 * The ways in which files are waited for: the script of a worker, WebAssembly, and imports. `undefined` as a code: the page does
 * without the file.
 */
const CASES: [file: string, code: string | undefined, options: StartOptions][] = [
  ['engine.js', 'engine_failed', {}],
  ['llamacpp.js', 'model_failed', { model: TINY }],
  ['llamacpp.wasm', 'model_failed', { model: TINY }],
  ['llamacpp-threads.js', undefined, { model: TINY }],
  ['llamacpp-threads.wasm', undefined, { model: TINY }],
  ['webllm.js', 'model_failed', { model: TINY, engines: ['webllm'] }],
];

test('nothing waits for a server that says nothing for a file: it is named, or spared', async ({
  fresh,
  closing,
}) => {
  const outcome = async ([file, , options]: (typeof CASES)[number]) => {
    const site = closing(await serveTestSite('/', ['tiny-chat']));
    const silent: ServerResponse[] = [];
    site.intercept = (request, response) => {
      if (file.includes('thread')) isolate(request, response);
      const isSilent = request.url?.replace(/\?.*/, '') === `/${file}`;
      if (isSilent) silent.push(response);
      return isSilent;
    };
    const page = await openPage(fresh, site.url);
    const found = await page.evaluate(startOrFail, options);
    // The server could not close before.
    for (const response of silent) response.destroy();
    return { file, isAskedFor: silent.length > 0, ...found };
  };
  // All at once: they only wait.
  const outcomes = await Promise.all(CASES.map(outcome));
  for (const [index, [file, code]] of CASES.entries()) {
    const { message, ...found } = outcomes[index] ?? { message: '' };
    expect.soft(found).toEqual({ file, isAskedFor: true, code });
    if (code === undefined) continue;
    expect.soft(message).toContain(`/${file}`);
    expect.soft(message).toContain('cannot be fetched');
  }
});

/** Runs in a page. */
async function startOrFail(
  options: StartOptions,
): Promise<{ code: string | undefined; message: string }> {
  try {
    await window.slashv1.start(options);
    return { code: undefined, message: '' };
  } catch (error) {
    if (!(error instanceof window.slashv1.StartError)) throw error;
    return { code: error.code, message: error.message };
  }
}
