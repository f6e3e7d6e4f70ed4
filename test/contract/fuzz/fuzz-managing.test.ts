import 'fake-indexeddb/auto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { smallDatabase } from '../../../src/core/database/small-database.ts';
import { ENDPOINTS } from '../../../src/core/keys/endpoints.ts';
import { keysOf } from '../../../src/page/api/keys/keys.ts';
import { apiEndpoints } from '../../../sw/endpoints.ts';
import { HUB_MODEL, MODEL, ORIGIN, RECOGNISER, UNINSTALLED_MODEL } from '../support/api.ts';
import { ANYTHING, seeded, type Random } from './arbitrary-fields.ts';
import { quickApp } from '../support/quick-app.ts';
import { json, type ErrorBody } from '../support/read.ts';
import { TestEngine } from '../support/test-engine.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 500);

/** Endpoints that manage models, recordings and kept answers; fuzz-fields has those that generate. */
const ROUTES = apiEndpoints().filter(({ method, path }) => {
  const manages = /^(models|health|metrics|audio\/(voices|trans|speech)|responses\/\{)/;
  return manages.test(path) && !(method === 'POST' && path === 'audio/speech');
});
const FIELDS = [
  ...['stream', 'model', 'file', 'language', 'prompt', 'response_format', 'temperature', 'limit'],
  ...['timestamp_granularities[]', 'include', 'after', 'order', 'input', 'voice', 'key', 'speed'],
];
const NAMES = [
  ...[MODEL, HUB_MODEL, UNINSTALLED_MODEL, RECOGNISER, 'resp_1', '', '%', '%2e%2e', '..', 'a/b/c'],
  ...['__proto__', 'constructor', '😀', '\ud83d', 'a b', 'a?b', 'a#b', 'x'.repeat(5_000)],
];
const TYPES = ['application/json', 'text/plain', 'multipart/form-data', 'a/b; charset=\u00ff', ''];

const pick = <T>(random: Random, values: readonly T[]): T | undefined =>
  values[Math.floor(random() * values.length)];

/** An object with some fields of any type. */
function someFields(random: Random): Record<string, unknown> {
  const names = FIELDS.filter(() => random() < 0.2);
  return Object.fromEntries(names.map((name) => [name, pick(random, ANYTHING)]));
}

function someForm(random: Random): FormData {
  const form = new FormData();
  if (random() < 0.8) form.set('file', new Blob(['RIFF']), 'a.wav');
  if (random() < 0.8) form.set('model', RECOGNISER);
  for (const [name, value] of Object.entries(someFields(random))) {
    if (name !== 'file') form.append(name, String(value));
  }
  return form;
}

function someBody(random: Random): BodyInit {
  const kind = random();
  if (kind < 0.4) return someForm(random);
  if (kind < 0.8) return JSON.stringify(someFields(random));
  return JSON.stringify(pick(random, ANYTHING));
}

function someRequest(random: Random): Request {
  const { method = 'GET', path = '' } = pick(random, ROUTES) ?? {};
  const name = pick(random, NAMES) ?? '';
  const place = path.replaceAll(/\{\w+\}/g, random() < 0.5 ? MODEL : encoded(name, random));
  const query = Object.entries(someFields(random)).map(([key, value]) => {
    return `${encoded(key, random)}=${encoded(String(value), random)}`;
  });
  const url = `${ORIGIN}/v1/${place}${random() < 0.3 ? `?${query.join('&')}` : ''}`;
  const used = random() < 0.95 ? method : (pick(random, ['PUT', 'PATCH', 'POST', 'GET']) ?? method);
  if (used === 'GET') return new Request(url, { method: used });
  const body = someBody(random);
  const type = pick(random, TYPES);
  const isTyped = typeof body === 'string' && type && random() < 0.5;
  return new Request(url, {
    method: used,
    ...(random() < 0.9 && { body }),
    ...(isTyped && { headers: { 'content-type': type } }),
  });
}

/** Percent-encoded, or as it is, which may be no valid encoding. */
function encoded(text: string, random: Random): string {
  return random() < 0.7 ? encodeURIComponent(text.toWellFormed()) : text;
}

test(`managing endpoints with fields of every type: ${RUNS} requests`, async () => {
  const { app } = quickApp(new TestEngine(), { manageModels: true });
  const random = seeded(SEED);
  const statuses = new Map<number, number>();
  for (let run = 0; run < RUNS; run++) {
    const request = someRequest(random);
    const told = `${request.method} ${request.url.slice(0, 300)}`;
    const response = await app(request);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    await expectAnswer(response).catch((error: unknown) => {
      throw new Error(told, { cause: error });
    });
  }
  // If hardly any were answered, this would only show that everything is refused.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(RUNS / 10);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(RUNS / 50);
}, 600_000);

async function expectAnswer(response: Response): Promise<void> {
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  if (response.status >= 400) {
    expect([400, 401, 404, 405, 413]).toContain(response.status);
    const { error } = await json<ErrorBody>(response);
    expect(error.message).toMatch(/\S/);
    return;
  }
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  if (type.startsWith('application/json')) JSON.parse(text);
  if (type.startsWith('text/event-stream')) expect(text).toMatch(/data: .*\n\n$/);
}

const texts = v.array(v.string());
const KEY_OPTIONS = v.strictObject({
  label: v.optional(v.string()),
  models: v.optional(texts),
  endpoints: v.optional(v.array(v.picklist(ENDPOINTS))),
  tokensPerDay: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  expiresAt: v.optional(v.pipe(v.number(), v.finite())),
  autoInstall: v.optional(v.boolean()),
  manageModels: v.optional(v.boolean()),
  deviceOnly: v.optional(v.boolean()),
});

/** Values that a page may give, although JSON has none of them. */
const ODD: unknown[] = [1n, Symbol('a'), () => 1, NaN, Infinity, new Date(0), undefined, cyclic()];

function cyclic(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

test(`keys with options of every type: ${RUNS} keys`, async () => {
  const keys = keysOf(smallDatabase(`/${crypto.randomUUID()}/`));
  const random = seeded(SEED);
  const names = [...Object.keys(KEY_OPTIONS.entries), 'model', '__proto__'];
  const values = [...ANYTHING, ...ODD, [MODEL], [...ENDPOINTS], true, 1e12];
  let accepted = 0;
  for (let run = 0; run < RUNS; run++) {
    const chosen = names.filter(() => random() < 0.2);
    const options = Object.fromEntries(chosen.map((name) => [name, pick(random, values)]));
    const isRight = v.is(KEY_OPTIONS, options);
    const made = keys.create(options);
    if (!isRight) {
      await expect(made).rejects.toThrow(/must be|There is no/);
      continue;
    }
    accepted++;
    const key = await made;
    const [stored] = await keys.list();
    const { deviceOnly: _, label = '', ...rights } = options;
    const kept = Object.entries(rights).filter(
      ([, value]) => value !== undefined && value !== false,
    );
    expect(stored).toMatchObject({ label, ...Object.fromEntries(kept) });
    await keys.revoke(key);
  }
  expect(accepted).toBeGreaterThan(RUNS / 20);
  expect(await keys.list()).toEqual([]);
}, 600_000);
