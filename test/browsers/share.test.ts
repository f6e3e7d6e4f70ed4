import type {} from '../browser/site/frame-page.ts';
import { COUNT, GREETING, user } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { slowDown } from '../browser/support/slow-llama.ts';
import { begin, expect, test } from './support/fixtures.ts';

/** What a frame reports to its parent. */
interface Report {
  text: string;
  aborted: string;
  revoked: string;
}

/** Runs in the frame: a streamed chat, an abort, and a stream that its parent breaks. */
async function borrow(model: string, hello: object, count: object): Promise<void> {
  await window.connectParent();
  const { lent } = window;
  const open = async (messages: object, signal?: AbortSignal) => {
    const body = JSON.stringify({ model, messages, temperature: 0, stream: true });
    const init = { method: 'POST', body, ...(signal && { signal }) };
    return (await lent.fetch(`${lent.baseURL}/chat/completions`, init)).body?.getReader();
  };
  const rest = async (reader: Awaited<ReturnType<typeof open>>) => {
    let text = '';
    for (const decoder = new TextDecoder(); ;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
  };
  const sse = await rest(await open([hello]));
  const text = [...sse.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
  const aborting = new AbortController();
  const stopped = await open([count], aborting.signal);
  await stopped?.read();
  aborting.abort();
  const aborted = await rest(stopped).catch((error: Error) => error.name);
  const broken = await open([count]);
  await broken?.read();
  parent.postMessage('reading', '*');
  const revoked = await rest(broken).catch((error: unknown) =>
    error instanceof window.ConnectError ? error.code : String(error),
  );
  parent.postMessage({ text, aborted, revoked }, '*');
}

test('a sandboxed frame without an origin borrows the API of its parent', async ({
  site,
  newTab,
}) => {
  slowDown(site);
  site.intercept = (_request, response) => {
    // A page without an origin may import modules only like this.
    response.setHeader('access-control-allow-origin', '*');
    return false;
  };
  const tab = await newTab(site.url);
  await begin(tab, { model: TINY });
  const [count] = COUNT.messages;
  const given = [TINY, user('Hello!'), count].map((each) => JSON.stringify(each)).join(',');
  const script = `import '${site.url}frame-page.js'; (${String(borrow)})(${given}).catch(
    (error) => parent.postMessage(String(error), '*'));`;
  const report = await tab.evaluate(async (code) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = `<!doctype html><script type="module">${code}</script>`;
    document.body.append(frame);
    if (!frame.contentWindow) throw new Error('The frame has no window.');
    const share = await window.v1.share(frame.contentWindow, 'null');
    return new Promise<unknown>((resolve) => {
      addEventListener('message', ({ data }) => {
        if (data === 'reading') void share.revoke();
        else if (typeof data === 'string' || 'text' in data) resolve(data);
      });
    });
  }, script);
  expect(report).toEqual({
    text: GREETING,
    aborted: 'AbortError',
    revoked: 'disconnected',
  } satisfies Report);
});
