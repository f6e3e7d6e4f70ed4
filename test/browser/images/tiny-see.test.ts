import type { Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { complete, postJson, type ChatRequest } from '../support/chat.ts';
import { askWithFault } from '../support/faults.ts';
import { expect, openStarted, test as base, withProfile } from '../support/fixtures.ts';
import { withHold } from '../support/hold.ts';
import { about, cases, picture, pictureFile, showing } from '../support/media/seeing.ts';
import { SEER, withTestSite, type TestSite } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

const test = base.extend<object, { seeingSite: TestSite; seeing: Page }>({
  seeingSite: [({}, use) => withTestSite(['tiny-see'], use), { scope: 'worker' }],
  seeing: [
    ({ seeingSite }, use) =>
      withProfile(async (profile) =>
        use(await openStarted(profile, seeingSite.url, { engines: ['llamacpp'] })),
      ),
    { scope: 'worker' },
  ],
});

const CIRCLE = about('red-circle.png', 'What is in the picture?');

async function answerTo(page: Page, request: ReturnType<typeof showing>): Promise<string | null> {
  const { choices } = await complete(page, request as ChatRequest);
  return choices[0]?.message.content ?? null;
}

test('tiny-see names every figure as native llama.cpp does', async ({ seeing }) => {
  const answers: (string | null)[] = [];
  for (const asked of cases) answers.push(await answerTo(seeing, showing(asked)));
  expect(answers).toEqual(cases.map(({ answer }) => answer));
});

test('a picture is read from the site, too, and by the other two APIs', async ({
  seeing,
  seeingSite,
}) => {
  seeingSite.intercept = ({ url }, response) => {
    if (url !== '/pictures/red-circle.png') return false;
    response.writeHead(200, { 'content-type': 'image/png' }).end(pictureFile('red-circle.png'));
    return true;
  };
  const address = () => '/pictures/red-circle.png';
  expect(await answerTo(seeing, showing(CIRCLE, address))).toBe('A red circle.');

  const url = picture('blue-star.png');
  const text = 'What is in the picture?';
  const input = [
    {
      role: 'user',
      content: [
        { type: 'input_image', image_url: url },
        { type: 'input_text', text },
      ],
    },
  ];
  const response = await postJson(seeing, '/responses', { model: SEER, input, temperature: 0 });
  expect(response).toMatchObject({ output: [{ content: [{ text: 'A blue star.' }] }] });

  const [, data = ''] = url.split(',');
  const source = { type: 'base64', media_type: 'image/png', data };
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'image', source },
        { type: 'text', text },
      ],
    },
  ];
  const asked = { model: SEER, messages, max_tokens: 32, temperature: 0 };
  const message = await postJson(seeing, '/messages', asked);
  expect(message).toMatchObject({ content: [{ type: 'text', text: 'A blue star.' }] });
  const counted = await postJson(seeing, '/messages/count_tokens', { model: SEER, messages });
  const { usage } = message as { usage: Record<string, number> };
  const { input_tokens: read = 0, cache_read_input_tokens: cached = 0 } = usage;
  expect(counted).toEqual({ input_tokens: read + cached });
});

test('an answer about a picture is the same when another tab takes over', async ({ fresh }) => {
  const { whole, answer, faultAt } = await withTestSite(['tiny-see'], (site) =>
    withHold(site, async (hold) => {
      const options: StartOptions = { engines: ['llamacpp'] };
      const leader = await openStarted(fresh, site.url, { ...options, model: SEER });
      const reader = await openStarted(fresh, site.url, options);
      const body = { ...showing(CIRCLE), ignore_eos: true, max_tokens: 60 };
      return askWithFault({ reader, hold }, body, () => leader.close());
    }),
  );
  expect(whole.text).toMatch(/^A red circle\./);
  const { text, finishReasons, usage } = whole;
  expect(answer).toMatchObject({ text, finishReasons, usage, done: true, error: null });
  expect(answer.times.at(-1)).toBeGreaterThan(faultAt);
});

test('no picture and nothing that is said of it is stored', async ({ seeing }) => {
  expect(await answerTo(seeing, showing(CIRCLE))).toBe('A red circle.');
  const [, base64 = ''] = picture('red-circle.png').split(',');
  const inFile = pictureFile('red-circle.png').subarray(-60, -20);
  for (const text of [base64.slice(40, 100), inFile, 'A red circle', 'What is in the picture']) {
    expect(await placesWithText(seeing, text)).toEqual([]);
  }
});

test('the list of models says that it sees, and how large it is', async ({ seeing }) => {
  const models = await seeing.evaluate(async () => {
    const { baseURL, apiKey } = window.v1;
    const headers = { authorization: `Bearer ${apiKey}` };
    const body: { data: { id: string; input_modalities: string[] }[] } = await (
      await fetch(`${baseURL}/models`, { headers })
    ).json();
    return body.data;
  });
  const found = models.find(({ id }) => id === SEER);
  expect(found).toMatchObject({ input_modalities: ['text', 'image'] });
  const [listed] = await seeing.evaluate(() => window.v1.models.list());
  expect(listed?.bytes).toBeGreaterThan(3e6);
});
