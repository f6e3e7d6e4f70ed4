import { beforeEach, describe, expect, test } from 'vitest';
import type { Prompt, TokensJob } from '../../../src/core/operations/jobs/jobs.ts';
import { MODEL, openApi, type TestApi } from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';
import { hasSharedFixtures, isServed, recordings } from '../support/shared-fixtures.ts';
import { BYTES, DATA, MARK, PNG, serveImages } from './site-images.ts';
import { finish, text } from '../support/test-engine.ts';

const site = serveImages();
let api: TestApi;

beforeEach(async () => {
  api = await openApi({ sees: true });
});

type Shown = [role: string, content: string, images: [files: number[], detail: string][]][];

/** What the engine is shown. */
function shown({ prompt }: { prompt: Prompt }): Shown {
  if (prompt.kind !== 'chat') throw new Error('It is no chat.');
  expect(prompt.images).toBeUndefined();
  return prompt.messages.map(({ role, content, images = [] }) => [
    role,
    content,
    images.map(({ file, detail }) => [[...file], detail]),
  ]);
}

const image = (detail = 'auto'): [number[], string] => [[...BYTES], detail];

const chat = (...content: unknown[]) => ({ model: MODEL, messages: [{ role: 'user', content }] });
const part = (url: unknown, rest = {}) => ({ type: 'image_url', image_url: { url, ...rest } });

describe.skipIf(!hasSharedFixtures)('images that real clients send', () => {
  const all = recordings().flatMap(({ client, case: name, requests }) =>
    requests
      .filter(isServed)
      .filter(({ body }) => /"(?:input_image|image_url|image)"/.test(JSON.stringify(body ?? {})))
      .map((request) => ({ name: `${client} ${name}`, request })),
  );
  const isElsewhere = ({ request }: (typeof all)[number]) =>
    JSON.stringify(request.body).includes('https://example.com');
  const send = ({ path, body }: (typeof all)[number]['request']) =>
    api.post(path.replace('/v1', ''), { ...body, model: MODEL });

  test('are there', () => expect(all.length).toBeGreaterThan(10));

  test.each(all.filter((each) => !isElsewhere(each)))('$name', async ({ request }) => {
    const response = await send(request);
    await response.text();
    expect(response.status).toBe(200);
    const isDecision = request.path === '/v1/decisions';
    const { prompt } = (isDecision ? api.engine.decisions : api.engine.runs).at(-1)?.job ?? {};
    const job = { prompt: prompt ?? { kind: 'raw' as const, text: '' } };
    const images = shown(job).flatMap(([, , each]) => each);
    expect(images.length).toBe(JSON.stringify(shown(job)).split(MARK).length - 1);
    expect(new Set(images.map(([file]) => file.join()))).toEqual(new Set([BYTES.join()]));
  });

  test.each(all.filter(isElsewhere))('$name is not fetched', async ({ request }) => {
    expect(await errorOf(await send(request))).toMatchObject({
      status: 400,
      code: 'image_url_not_allowed',
      param: expect.stringMatching(/image_url$|source\.url$/),
    });
    expect(site.fetched).toEqual([]);
  });
});

describe('in chats', () => {
  test('text and images keep their order, each with its detail', async () => {
    const content = [
      { type: 'text', text: 'This ' },
      part(DATA, { detail: 'low' }),
      { type: 'text', text: ' or ' },
      { type: 'image_url', image_url: '/cat.png', detail: 'high' },
      part(`data:;base64,${PNG}`, { detail: null }),
      { type: 'text', text: '?' },
    ];
    const messages = [{ role: 'system', content: 'Look.' }, ...chat(...content).messages];
    expect((await api.post('/chat/completions', { model: MODEL, messages })).status).toBe(200);
    expect(shown(api.engine.last.job)).toEqual([
      ['system', 'Look.', []],
      ['user', `This ${MARK} or ${MARK}${MARK}?`, [image('low'), image('high'), image()]],
    ]);
  });

  test('tools show images, too; later turns have their own', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };
    const messages = [
      { role: 'user', content: [part(DATA)] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: [part(DATA), { type: 'text', text: 'it' }] },
      { role: 'user', content: 'And?' },
    ];
    expect((await api.post('/chat/completions', { model: MODEL, messages })).status).toBe(200);
    expect(shown(api.engine.last.job)).toEqual([
      ['user', MARK, [image()]],
      ['assistant', '', []],
      ['tool', `${MARK}it`, [image()]],
      ['user', 'And?', []],
    ]);
  });

  test.each(['system', 'assistant'])('no image is the %s’s', async (role) => {
    const messages = [{ role, content: [part(DATA)] }, ...chat().messages];
    const response = await api.post('/chat/completions', { model: MODEL, messages });
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'messages[0].content[0]',
    });
  });

  test('a text that holds the mark of an image holds another character', async () => {
    const given = `a${MARK}b`;
    const escaped = JSON.stringify(chat({ type: 'text', text: 'ESC' }, part(DATA)));
    for (const body of [
      JSON.stringify(chat({ type: 'text', text: given }, part(DATA))),
      escaped.replace('ESC', String.raw`a\ufdd0b`),
      escaped.replace('ESC', String.raw`a\uFDD0b`),
    ]) {
      await (await api.post('/chat/completions', body)).text();
      expect(shown(api.engine.last.job)).toEqual([['user', `a\uFFFDb${MARK}`, [image()]]]);
    }
    await (await api.post('/chat/completions', escaped.replace('ESC', String.raw`\\ufdd0`))).text();
    expect(shown(api.engine.last.job)[0]?.[1]).toBe(String.raw`\ufdd0${MARK}`);
  });

  test('the usage says how many tokens the images have', async () => {
    const usage = { promptTokens: 9, completionTokens: 1, cachedTokens: 0, imageTokens: 6 };
    api.engine.always(...[text('A cat'), finish('stop', usage), finish('stop', usage)]);
    const response = await api.post('/chat/completions', { ...chat(part(DATA)), n: 2 });
    expect(await json(response)).toMatchObject({
      usage: { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 0, image_tokens: 6 } },
    });
  });
});

describe('elsewhere', () => {
  test('the models that see say so', async () => {
    const { data } = await json<{ data: { id: string; input_modalities: string[] }[] }>(
      await api.fetch('/models'),
    );
    const seeing = data.filter(({ input_modalities }) => input_modalities.includes('image'));
    expect(seeing.map(({ id }) => id)).toEqual([MODEL]);
  });

  test('a response that continues another one shows its images again', async () => {
    const content = [
      { type: 'input_text', text: 'What? ' },
      { type: 'input_image', image_url: DATA, detail: 'original' },
    ];
    const first = { model: MODEL, input: [{ role: 'user', content }] };
    const { id } = await json<{ id: string }>(await api.post('/responses', first));
    const next = { model: MODEL, input: 'Sure?', previous_response_id: id };
    expect((await api.post('/responses', next)).status).toBe(200);
    expect(shown(api.engine.last.job)).toEqual([
      ['user', `What? ${MARK}`, [image('high')]],
      ['assistant', 'Hello there', []],
      ['user', 'Sure?', []],
    ]);
  });

  test('the output of a function of the Responses API shows images', async () => {
    const input = [
      { role: 'user', content: 'Look' },
      { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_image', image_url: DATA }],
      },
    ];
    expect((await api.post('/responses', { model: MODEL, input })).status).toBe(200);
    expect(shown(api.engine.last.job).at(-1)).toEqual(['tool', MARK, [image()]]);
  });

  test('Anthropic’s blocks: results first, texts as paragraphs, images without a line', async () => {
    const source = { type: 'base64', media_type: 'image/jpeg', data: PNG };
    const messages = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'two' },
          { type: 'image', source: { type: 'url', url: 'cat.png' } },
          { type: 'text', text: 'three' },
          {
            type: 'tool_result',
            tool_use_id: 't',
            is_error: true,
            content: [
              { type: 'text', text: 'seen' },
              { type: 'image', source },
            ],
          },
        ],
      },
    ];
    const body = { model: MODEL, max_tokens: 9, messages };
    expect((await api.post('/messages', body)).status).toBe(200);
    expect(shown(api.engine.last.job).slice(-2)).toEqual([
      ['tool', `Error: seen${MARK}`, [image()]],
      ['user', `One\n\ntwo${MARK}three`, [image()]],
    ]);
  });

  test.each([
    ['/chat/completions/input_tokens', chat(part(DATA))],
    [
      '/responses/input_tokens',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: DATA }] }] },
    ],
    [
      '/messages/count_tokens',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', data: PNG } }],
          },
        ],
      },
    ],
  ])('%s counts the same prompt', async (path, body) => {
    expect((await api.post(path, { ...body, model: MODEL })).status).toBe(200);
    const job: TokensJob | undefined = api.engine.counts.at(-1)?.job;
    if (!job || job.of.kind === 'tokens') throw new Error('Nothing was counted.');
    expect(shown({ prompt: job.of })).toEqual([['user', MARK, [image()]]]);
  });
});

test.each([
  ['/chat/completions', chat({ type: 'image_url' }), 'messages[0].content[0].image_url'],
  ['/chat/completions', chat(part(7)), 'messages[0].content[0].image_url.url'],
  [
    '/chat/completions',
    chat(part(DATA, { detail: 'most' })),
    'messages[0].content[0].image_url.detail',
  ],
  [
    '/responses',
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
    'input[0].content[0].file_id',
  ],
  [
    '/messages',
    {
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }],
        },
      ],
    },
    'messages[0].content[0].source',
  ],
])('%s refuses %j', async (path, body, param) => {
  const response = await api.post(path, { ...body, model: MODEL });
  expect(await errorOf(response)).toMatchObject({ status: 400, param });
  expect(api.engine.runs).toEqual([]);
});
