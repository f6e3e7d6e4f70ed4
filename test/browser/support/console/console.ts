import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page, Worker } from 'playwright/test';
import type { Listening } from '../../../../src/node/serve/listen.ts';
import { createSiteServer } from '../../../../src/node/serve/site-server.ts';
import type {} from '../../site/scripted-engine.ts';
import { QUICK_SITE } from '../sites/built-sites.ts';
import { expect } from '../fixtures.ts';
import { catalogOf, HUB_CHAT, HUB_CHAT_FACTS } from '../scripted/catalog.ts';
import type { Scenario } from '../scripted/scenario.ts';
import { listenAnywhere } from '../servers.ts';
import { SCRIPTS } from '../site.ts';
import { engineOf, workersOf } from '../browser/tabs.ts';

/** What differs from the plain scripted console. */
export interface Scripted extends Partial<Scenario> {
  /** Names of its packs, the default model first. */
  packs?: string[];
  /** Whether the site has lost the file of a path. */
  lost?: Pick<RegExp, 'test'>;
  /** Gets the path of each file that a browser asks for and does not have. */
  asked?: string[];
}

/** Files that a site has lost until `find` is called: those with this in their paths. */
export function losing(part: RegExp): { lost: Pick<RegExp, 'test'>; find: () => void } {
  let isLost = true;
  return { lost: { test: (path) => isLost && part.test(path) }, find: () => (isLost = false) };
}

/** Closes a server when the test ends. */
export type Closing = <T extends { close(): Promise<unknown> }>(server: T) => T;

/** Serves the built console with a scripted engine: models need no files, and answer as the scenario says. */
export function serveConsole({
  packs = ['tiny-chat', 'test-piper'],
  lost,
  asked = [],
  ...changes
}: Scripted = {}): Promise<Listening> {
  const scenario: Scenario = {
    catalog: catalogOf(packs),
    gpu: 'software',
    hasF16: false,
    hub: [],
    pictures: {},
    held: {},
    heard: '',
    keptBytes: 0,
    isListHeld: false,
    speed: 31.4,
    learnt: { [HUB_CHAT]: HUB_CHAT_FACTS },
    ...changes,
  };
  const script = readFileSync(join(SCRIPTS, 'scripted-engine.js'), 'utf8');
  const site = createSiteServer(QUICK_SITE);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site');
    if (!request.headers['if-none-match']) asked.push(pathname);
    if (lost?.test(pathname)) response.writeHead(404).end();
    else if (pathname !== '/engine.js') site.emit('request', request, response);
    else {
      response.writeHead(200, {
        'content-type': 'text/javascript',
        'cache-control': 'no-cache',
        'cross-origin-embedder-policy': 'credentialless',
      });
      response.end(`self.scenario = ${JSON.stringify(scenario)};\n${script}`);
    }
  });
  return listenAnywhere(server);
}

/** The scripted console in a new page. */
export async function openConsole(
  context: BrowserContext,
  closing: Closing,
  scripted?: Scripted,
): Promise<Page> {
  const { origin } = closing(await serveConsole(scripted));
  const page = await context.newPage();
  await page.goto(origin);
  return page;
}

/** The engine's worker in the page that hosts it, once it runs. Tests control it by its global `scripted`. */
export async function scriptedEngine(page: Page): Promise<Worker> {
  await expect.poll(() => workersOf(page, 'engine.js')).toHaveLength(1);
  const engine = engineOf(page);
  await expect.poll(() => engine.evaluate(() => 'scripted' in self)).toBe(true);
  return engine;
}

/** Makes answers wait before this token, counted from 0; the returned function lets them go on. */
export async function holdAnswers(page: Page, token: number): Promise<() => Promise<void>> {
  const engine = await scriptedEngine(page);
  await engine.evaluate((at) => scripted.hold(at), token);
  return () => engine.evaluate(() => scripted.go());
}

/** Makes downloads of the model wait when they have this many bytes; the returned function lets them go on. */
export async function holdDownload(page: Page, model: string, bytes: number) {
  const engine = await scriptedEngine(page);
  await engine.evaluate(([id, at]) => scripted.models.holdDownload(id, at), [
    model,
    bytes,
  ] as const);
  return () => engine.evaluate((id) => scripted.models.letDownload(id), model);
}

/** A model on the page of models. */
export function cardOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
}

/** Opens the page of requests. */
export async function openRequests(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Requests' }).click();
  await expect(page.getByRole('heading', { name: 'Requests' })).toBeVisible();
}

/** Sends a question in the chat. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  // The button is disabled until there is a model.
  await expect(page.getByRole('button', { name: 'Send (Enter)' })).toBeEnabled();
  await page.keyboard.press('Enter');
}

/** Asks in the chat; resolves with the whole answer. */
export async function ask(page: Page, text: string): Promise<Locator> {
  await send(page, text);
  return lastAnswer(page);
}

/** The last answer of the chat, once it is complete. */
export async function lastAnswer(page: Page): Promise<Locator> {
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toHaveAttribute('aria-busy', 'false', { timeout: 120_000 });
  return answer;
}

/** Writes a text in the place of an answer's, with the chat's own editor. */
export async function rewrite(answer: Locator, text: string): Promise<void> {
  const page = answer.page();
  await answer.getByRole('button', { name: 'Edit answer' }).click();
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}
