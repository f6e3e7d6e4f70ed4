import { text } from 'node:stream/consumers';
import { GREETING } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { expect, test } from './support/fixtures.ts';
import { openUndriven } from './support/webkit.ts';

/** A page that starts by itself whenever it is loaded, and tells the server the result. */
const PAGE = `<!doctype html>
<script type="module">
  import { start } from './slashv1.js';
  const told = (message) => fetch('told', { method: 'POST', body: JSON.stringify(message) });
  try {
    await told({ loaded: crossOriginIsolated });
    const v1 = await start({ 
      isolate: true, threads: 2, engines: ['llamacpp'], model: '${TINY}',
    });
    const messages = [{ role: 'user', content: 'Hello!' }];
    const response = await fetch(v1.baseURL + '/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + v1.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ model: '${TINY}', messages, temperature: 0 }),
    });
    const { choices } = await response.json();
    await told({ isolated: v1.device.isolated, answer: choices[0].message.content });
  } catch (error) {
    await told({ failure: String(error) });
  }
</script>`;

test('a site without headers is isolated by one reload, and answers', async ({ site }, {
  project,
}) => {
  test.skip(
    project.name !== 'webkit',
    'site-worker.test.ts has it for browsers with a better driver.',
  );
  const told: unknown[] = [];
  site.intercept = (request, response) => {
    if (request.url === '/alone') {
      response.setHeader('content-type', 'text/html').end(PAGE);
      return true;
    }
    if (request.url !== '/told') return false;
    void text(request).then((body) => {
      told.push(JSON.parse(body));
      response.end();
    });
    return true;
  };
  const browser = await openUndriven(`${site.url}alone`);
  try {
    await expect
      .poll(() => told, { timeout: 60_000 })
      .toEqual([{ loaded: false }, { loaded: true }, { isolated: true, answer: GREETING }]);
  } finally {
    await browser.close();
  }
});
