import type {} from '../browser/site/frame-page.ts';
import { COUNT, GREETING, user } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { POLLING } from '../browser/support/streamed.ts';
import { begin, expect, test } from './support/fixtures.ts';

declare global {
  interface Window {
    /** What the frame has told its parent. */
    told: string[];
    lending: Awaited<ReturnType<Window['v1']['share']>>;
  }
}

/** Runs in the frame: a streamed chat, an abort, and a stream that its parent breaks. The parent paces the steps. */
async function borrow(model: string, hello: object, count: object): Promise<void> {
  await window.connectParent();
  const { lent } = window;
  const tell = (what: string) => parent.postMessage(what, '*');
  const toldToGoOn = () =>
    new Promise((resolve) => addEventListener('message', resolve, { once: true }));
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
  let heard = toldToGoOn();
  tell([...sse.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join(''));
  await heard;
  const aborting = new AbortController();
  const stopped = await open([count], aborting.signal);
  await stopped?.read();
  heard = toldToGoOn();
  tell('reading');
  await heard;
  aborting.abort();
  const aborted = await rest(stopped).catch((error: Error) => error.name);
  heard = toldToGoOn();
  tell(aborted);
  await heard;
  const broken = await open([count]);
  await broken?.read();
  tell('reading again');
  tell(
    await rest(broken).catch((error: unknown) =>
      error instanceof window.ConnectError ? error.code : String(error),
    ),
  );
}

test('a sandboxed frame without an origin borrows the API of its parent', async ({
  site,
  hold,
  newTab,
}) => {
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
  await tab.evaluate(async (code) => {
    window.told = [];
    // The frame's document also asks the page to share its API.
    addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') window.told.push(data);
    });
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = `<!doctype html><script type="module">${code}</script>`;
    document.body.append(frame);
    if (!frame.contentWindow) throw new Error('The frame has no window.');
    window.lending = await window.v1.share(frame.contentWindow, 'null');
  }, script);
  const untilTold = async (...texts: string[]) => {
    const hasTold = (length: number) => window.told.length >= length;
    await tab.waitForFunction(hasTold, texts.length, POLLING);
    expect(await tab.evaluate(() => window.told)).toEqual(texts);
  };
  const goOn = () =>
    tab.evaluate(() => document.querySelector('iframe')?.contentWindow?.postMessage('on', '*'));

  await untilTold(GREETING);
  await hold.at({ tokens: 10 });
  await goOn();
  await hold.untilHeld();
  await untilTold(GREETING, 'reading');
  await goOn();
  await untilTold(GREETING, 'reading', 'AbortError');
  await hold.untilStopped();
  await hold.at({ tokens: 10 });
  await goOn();
  await untilTold(GREETING, 'reading', 'AbortError', 'reading again');
  await tab.evaluate(() => window.lending.revoke());
  await untilTold(GREETING, 'reading', 'AbortError', 'reading again', 'disconnected');
});
