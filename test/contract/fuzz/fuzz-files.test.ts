import { expect, test } from 'vitest';
import { apiEndpoints } from '../../../sw/endpoints.ts';
import { catalogEntries, EMBEDDER, ORIGIN } from '../support/api.ts';
import { ANYTHING, seeded, type Random } from './arbitrary-fields.ts';
import { quickApp } from '../support/quick-app.ts';
import { json, type ErrorBody } from '../support/read.ts';
import { TestEngine } from '../support/test-engine.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_128);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1_000);
/** After so many requests, all that some of them have deleted is made again. */
const LIFE = 40;

/** All endpoints of files, vector stores and conversations. */
const ROUTES = apiEndpoints().filter(({ path }) =>
  /^(files|vector_stores|conversations)\b/.test(path),
);

const NAMES = [
  '',
  '%',
  '%2e%2e',
  '..',
  '__proto__',
  '😀',
  '\ud83d',
  'a b',
  'a/b',
  'x'.repeat(5_000),
];

/** Values of the fields, the right ones among them. */
const VALUES: Record<string, readonly unknown[]> = {
  purpose: ['assistants', 'vision', 'batch'],
  'expires_after[anchor]': ['created_at'],
  'expires_after[seconds]': ['3600', '1'],
  limit: ['1', '5', '100', '0', '1e9'],
  order: ['asc', 'desc'],
  after: ['file-1'],
  before: ['vs_1'],
  filter: ['completed', 'failed'],
  name: ['docs', null],
  metadata: [{ a: 'b' }, {}],
  expires_after: [null, { anchor: 'last_active_at', days: 3 }],
  embedding_model: [null, EMBEDDER],
  attributes: [{ a: 1, b: 'c', d: true }, {}],
  query: ['word', ['word', 'other']],
  filters: [{ type: 'eq', key: 'a', value: 1 }],
  max_num_results: [1, 50],
  ranking_options: [{ ranker: 'none' }],
  items: [[{ type: 'message', role: 'user', content: 'Hi' }], []],
};

type Ids = Record<'file' | 'store' | 'batch' | 'conversation' | 'item', string>;

const pick = <T>(random: Random, values: readonly T[]): T | undefined =>
  values[Math.floor(random() * values.length)];

/** Some fields, most of them as they should be. */
function someFields(random: Random, { file, store }: Ids): [string, unknown][] {
  const known = { ...VALUES, file_id: [file], file_ids: [[file], []], after: [file, store] };
  return Object.entries(known).flatMap(([name, right]): [string, unknown][] => {
    const value = pick(random, random() < 0.85 ? right : ANYTHING);
    return random() < 0.3 ? [[name, value]] : [];
  });
}

function someForm(random: Random, fields: [string, unknown][]): FormData {
  const form = new FormData();
  if (random() < 0.9) form.set('file', new File(['one word'], 'a.txt'));
  if (random() < 0.8) form.set('purpose', 'assistants');
  for (const [name, value] of fields) {
    if (/^(purpose|expires_after)/.test(name)) form.set(name, String(value));
  }
  return form;
}

function someRequest(random: Random, ids: Ids): Request {
  const { method = 'GET', path = '' } = pick(random, ROUTES) ?? {};
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => {
    return random() < 0.8
      ? ids[name]
      : encodeURIComponent((pick(random, NAMES) ?? '').toWellFormed());
  });
  const fields = someFields(random, ids);
  const used = random() < 0.95 ? method : (pick(random, ['PUT', 'PATCH', 'POST', 'GET']) ?? method);
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  const url = `${ORIGIN}/v1/${place}`;
  if (used === 'GET') return new Request(`${url}${random() < 0.7 ? `?${query}` : ''}`);
  const isForm = random() < (path === 'files' ? 0.9 : 0.05);
  const whole: unknown = random() < 0.9 ? Object.fromEntries(fields) : pick(random, ANYTHING);
  const body = isForm ? someForm(random, fields) : JSON.stringify(whole);
  return new Request(url, { method: used, ...(random() < 0.95 && { body }) });
}

test(`files, stores and conversations with fields of every type: ${RUNS} requests`, async () => {
  const engine = new TestEngine();
  engine.files.models = catalogEntries();
  const { app, post } = quickApp(engine, { files: { owner: 'site' } });
  const random = seeded(SEED);
  const statuses = new Map<number, number>();
  const answered = new Set<string>();
  let ids = await made(post);
  for (let run = 1; run <= RUNS; run++) {
    if (run % LIFE === 0) ids = await made(post);
    const request = someRequest(random, ids);
    const told = `${request.method} ${request.url.slice(0, 300)}`;
    const response = await app(request);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.ok) answered.add(shapeOf(request, ids));
    await expectAnswer(response).catch((error: unknown) => {
      throw new Error(told, { cause: error });
    });
  }
  // If hardly any were answered, this would only show that everything is refused.
  const shapes = ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(shapes.filter((shape) => !answered.has(shape))).toEqual([]);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(RUNS / 50);
  expect(statuses.get(404) ?? 0).toBeGreaterThan(RUNS / 50);
}, 600_000);

/** The endpoint of a request that names what there is. */
function shapeOf({ method, url }: Request, ids: Ids): string {
  const path = new URL(url).pathname.slice('/v1/'.length);
  const names = Object.entries(ids).map(([name, id]): [string, string] => [id, `{${name}}`]);
  const shown = new Map(names);
  const shape = path.split('/').map((part) => shown.get(part) ?? part);
  return `${method} ${shape.join('/')}`;
}

async function made(post: ReturnType<typeof quickApp>['post']): Promise<Ids> {
  const idOf = async (path: string, body: BodyInit) => {
    const { id, data } = await json<{ id?: string; data?: { id: string }[] }>(
      await post(path, body),
    );
    return id ?? data?.[0]?.id ?? '';
  };
  const form = new FormData();
  form.append('file', new File(['a word'], 'a.txt'));
  form.append('purpose', 'assistants');
  const file = await idOf('/files', form);
  const store = await idOf('/vector_stores', '{}');
  const files = JSON.stringify({ file_ids: [file] });
  const batch = await idOf(`/vector_stores/${store}/file_batches`, files);
  const conversation = await idOf('/conversations', '{}');
  const items = JSON.stringify({ items: [{ type: 'message', role: 'user', content: 'Hi' }] });
  const item = await idOf(`/conversations/${conversation}/items`, items);
  return { file, store, batch, conversation, item };
}

async function expectAnswer(response: Response): Promise<void> {
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  const type = response.headers.get('content-type') ?? '';
  if (response.ok) {
    const text = await response.text();
    if (type.startsWith('application/json')) expect(JSON.parse(text)).toBeTypeOf('object');
    else expect(type).toBe('application/octet-stream');
    return;
  }
  expect([400, 404, 405]).toContain(response.status);
  const { error } = await json<ErrorBody>(response);
  expect(error.message).toMatch(/\S/);
  expect(error.param).toSatisfy((param: unknown) => param === null || typeof param === 'string');
}
