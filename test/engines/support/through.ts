import type { Page } from 'playwright/test';
import { expect, openPage, test as base, type TestSite } from '../../browser/support/fixtures.ts';
import { serveTestSite } from '../../browser/support/site.ts';
import type { Engine } from './engine.ts';
import { record, type Recorder } from './recorder.ts';

/** What a client sees of an answer. */
export interface Seen {
  status: number;
  type: string | null;
  /** The whole body; for a stream, all events. */
  body: string;
}

export interface Sent {
  /** Below `/v1`: `chat/completions`. */
  path: string;
  /** JSON; or the fields of a form, whose `file` is the content of a file. */
  json?: Record<string, unknown>;
  form?: Record<string, string>;
}

/** A page in a browser without a debugger, as visitors have. */
export const test = base.extend<{ ownSite: TestSite; page: Page }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', [])));
  },
  page: async ({ undebugged, ownSite }, use) => {
    await use(await openPage(undebugged, ownSite.url));
  },
});

/** An engine that is the page's upstream. */
export interface Upstream {
  page: Page;
  engine: Engine;
  recorder: Recorder;
}

/** Starts slashv1 in the page, with the engine as its upstream. */
export async function beginWith(
  page: Page,
  engine: Engine,
  closing: (recorder: Recorder) => Recorder,
): Promise<Upstream> {
  const recorder = closing(await record(engine.baseURL));
  await page.evaluate(
    (baseURL) => window.begin({ upstreams: [{ name: 'engine', baseURL, models: '*' }] }),
    recorder.baseURL,
  );
  return { page, engine, recorder };
}

/**
 * Sends a request to the engine, once directly and once through the page's `/v1`. The page must get the bytes that the
 * engine sent. Engines cut streams as they like; any other answer must equal the direct one.
 *
 * @param holds - what both must contain, so that they are known to be answers
 */
export async function expectSame(
  { page, engine, recorder }: Upstream,
  sent: Sent,
  holds: string,
  status = 200,
): Promise<void> {
  const direct = await askDirectly(engine, sent);
  const through = await page.evaluate(askInPage, sent);
  expect(direct.status, direct.body).toBe(status);
  expect(direct.body).toContain(holds);
  expect(through.servedBy, through.seen.body).toBe('upstream; name=engine');
  expect(through.seen.body).toBe(recorder.answer.toString());
  expect(through.seen.body).toContain(holds);
  const { body } = direct;
  const isStream = direct.type?.startsWith('text/event-stream') ?? false;
  expect({ ...through.seen, body: isStream ? body : masked(through.seen.body) }).toEqual({
    ...direct,
    body: isStream ? body : masked(body),
  });
}

async function askDirectly({ baseURL }: Engine, sent: Sent): Promise<Seen> {
  const { json, form } = sent;
  const body = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) {
    body.append(name, name === 'file' ? new File([value], 'a.wav') : value);
  }
  const response = await fetch(`${baseURL}/${sent.path}`, {
    method: 'POST',
    ...(json && { headers: { 'content-type': 'application/json' } }),
    body: json ? JSON.stringify(json) : body,
  });
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), body: await response.text() };
}

/** Runs in the page: it can use nothing from this file. */
async function askInPage({
  path,
  json,
  form,
}: Sent): Promise<{ seen: Seen; servedBy: string | null }> {
  const { apiKey, baseURL } = window.v1;
  const body = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) {
    body.append(name, name === 'file' ? new File([value], 'a.wav') : value);
  }
  const response = await fetch(`${baseURL}/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(json && { 'content-type': 'application/json' }),
    },
    body: json ? JSON.stringify(json) : body,
  });
  const { status, headers } = response;
  const seen = { status, type: headers.get('content-type'), body: await response.text() };
  return { seen, servedBy: headers.get('x-slashv1-served-by') };
}

/** The body without the ids and times, which differ in each answer. */
function masked(body: string): string {
  return body
    .replaceAll(/"((?:[a-z_]*_)?id)":\s*"[^"]*"/g, '"$1":""')
    .replaceAll(/"(created|created_at|completed_at)":\s*[\d.]+/g, '"$1":0');
}
