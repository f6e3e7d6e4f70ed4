import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { Vocabulary } from '../../../src/engine/conversation/answer/vocabulary.ts';
import { complete, postJson, refusal, type ChatRequest } from '../support/chat.ts';
import { askWithFault } from '../support/faults.ts';
import { expect, openStarted, test as base, withProfile } from '../support/fixtures.ts';
import { withHold } from '../support/hold.ts';
import { sha256OfShards } from '../support/hub/pack-files.ts';
import { LOOKER, PACKS, withTestSite } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

const test = base.extend<object, { looking: Page }>({
  looking: [
    ({}, use) =>
      withTestSite(['tiny-look'], (site) =>
        withProfile(async (profile) => use(await openStarted(profile, site.url))),
      ),
    { scope: 'worker' },
  ],
});

/** The largest difference from numpy that counts as rounding. */
const TOLERANCE = 5e-3;

const pictureSchema = v.object({
  width: v.number(),
  height: v.number(),
  colour: v.array(v.number()),
});
type Picture = v.InferOutput<typeof pictureSchema>;

const { weightsSha256, cases } = v.parse(
  v.object({
    weightsSha256: v.string(),
    cases: v.pipe(
      v.array(
        v.object({
          picture: pictureSchema,
          text: v.string(),
          answer: v.string(),
          promptTokens: v.number(),
          imageTokens: v.number(),
          steps: v.pipe(v.array(v.array(v.tuple([v.number(), v.number()]))), v.minLength(1)),
        }),
      ),
      v.minLength(2),
    ),
  }),
  JSON.parse(
    readFileSync(new URL('../../fixtures/reference/tiny-look.json', import.meta.url), 'utf8'),
  ),
);
const [FIRST, SECOND] = cases;
if (!FIRST || !SECOND) throw new Error('The reference has too few cases.');

/** Draws as models/library/check/seeing.py does. */
const DRAW = async ({ width, height, colour }: Picture) => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  const image = context.createImageData(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const most = Math.floor((width * 3) / 4) ** 2;
      const isInside = (2 * x - width) ** 2 + (2 * y - height) ** 2 < most;
      const grey = 250 - Math.floor((y * 120) / height);
      const [red = 0, green = 0, blue = 0] = isInside ? colour : [grey, grey, grey];
      image.data.set([red, green, blue, 255], 4 * (y * width + x));
    }
  }
  context.putImageData(image, 0, 0);
  const bytes = await (await canvas.convertToBlob()).bytes();
  return `data:image/png;base64,${bytes.toBase64()}`;
};

function asked(url: string, text: string, rest: ChatRequest = {}): ChatRequest {
  const image = { type: 'image_url' as const, image_url: { url } };
  const content = [image, { type: 'text' as const, text }];
  const messages = [{ role: 'user' as const, content }];
  return { model: LOOKER, messages, temperature: 0, reasoning_effort: 'none', ...rest };
}

/** The likeliest tokens of an answer's first step, by their bytes. */
async function firstStep(page: Page, picture: Picture, text: string) {
  const url = await page.evaluate(DRAW, picture);
  const rest = { logprobs: true, top_logprobs: 8, max_tokens: 1 };
  const { choices } = await complete(page, asked(url, text, rest));
  const top = choices[0]?.logprobs?.content?.[0]?.top_logprobs ?? [];
  return new Map(top.map(({ bytes, logprob }) => [bytes?.join(), logprob]));
}

test('an answer about an image has the logprobs that numpy computes', async ({ looking }) => {
  expect(sha256OfShards(PACKS['tiny-look'] ?? '')).toBe(weightsSha256);
  const tokenizer = new URL('../../../models/packs/tiny-chat/tokenizer.json', import.meta.url);
  const vocabulary = new Vocabulary(JSON.parse(readFileSync(tokenizer, 'utf8')));
  for (const { picture, text, steps, answer, promptTokens, imageTokens } of cases) {
    const url = await looking.evaluate(DRAW, picture);
    const rest = { logprobs: true, top_logprobs: 8, max_tokens: steps.length };
    const { choices, usage } = await complete(looking, asked(url, text, rest));
    expect(usage).toMatchObject({
      prompt_tokens: promptTokens,
      prompt_tokens_details: { image_tokens: imageTokens },
    });
    const [choice] = choices;
    expect(choice?.message.content).toBe(answer);
    const tokens = choice?.logprobs?.content ?? [];
    // Numpy's last step may be the end of the turn, which is not part of the text.
    expect(tokens.length).toBeGreaterThanOrEqual(steps.length - 1);
    for (const [index, step] of steps.slice(0, tokens.length).entries()) {
      const top = new Map(
        tokens[index]?.top_logprobs.map(({ bytes, logprob }) => [bytes?.join(), logprob]),
      );
      for (const [id, logprob] of step.slice(0, 5)) {
        const found = top.get([...vocabulary.bytes(id)].join()) ?? Number.NaN;
        expect(Math.abs(found - logprob), `step ${index}`).toBeLessThan(TOLERANCE);
      }
    }
  }
});

test('another image gives other logits', async ({ looking }) => {
  const one = await firstStep(looking, FIRST.picture, FIRST.text);
  const other = await firstStep(looking, SECOND.picture, FIRST.text);
  const differences = [...one].map(([token, logprob]) =>
    Math.abs(logprob - (other.get(token) ?? -Infinity)),
  );
  expect(Math.max(...differences)).toBeGreaterThan(0.1);
});

test('an image is not read again in the next turn, but another image is', async ({ looking }) => {
  const url = await looking.evaluate(DRAW, FIRST.picture);
  const question = asked(url, 'Who is there?', { max_tokens: 4 });
  const first = await complete(looking, question);
  const messages = [
    ...(question.messages ?? []),
    { role: 'assistant' as const, content: first.choices[0]?.message.content ?? '' },
    { role: 'user' as const, content: 'And why?' },
  ];
  const next = await complete(looking, { ...question, messages });
  expect(next.usage?.prompt_tokens_details).toMatchObject({ image_tokens: FIRST.imageTokens });
  const cached = next.usage?.prompt_tokens_details?.cached_tokens;
  expect(cached).toBeGreaterThan(FIRST.imageTokens);
  expect(cached).toBeLessThan(next.usage?.prompt_tokens ?? 0);
  const black = await looking.evaluate(DRAW, { ...FIRST.picture, colour: [0, 0, 0] });
  const other = await complete(looking, asked(black, 'Who is there?', { max_tokens: 4 }));
  expect(other.usage?.prompt_tokens_details?.cached_tokens).toBeLessThan(20);
});

test('a large image is scaled down to what the model takes', async ({ looking }) => {
  const large = { width: 1200, height: 5400, colour: FIRST.picture.colour };
  const url = await looking.evaluate(DRAW, large);
  const { usage } = await complete(looking, asked(url, FIRST.text, { max_tokens: 1 }));
  expect(usage?.prompt_tokens_details).toMatchObject({ image_tokens: FIRST.imageTokens });
});

test('responses and messages show images, too', async ({ looking }) => {
  const { answer, text, promptTokens, steps } = FIRST;
  const url = await looking.evaluate(DRAW, FIRST.picture);
  const content = [
    { type: 'input_image', image_url: url },
    { type: 'input_text', text },
  ];
  const input = [{ role: 'user', content }];
  const limit = { max_output_tokens: steps.length, temperature: 0, reasoning: { effort: 'none' } };
  const response = await postJson(looking, '/responses', { model: LOOKER, input, ...limit });
  expect(response).toMatchObject({
    output: [{ content: [{ text: answer }] }],
    usage: { input_tokens: promptTokens },
  });

  const [, data = ''] = url.split(',');
  const source = { type: 'base64', media_type: 'image/png', data };
  const blocks = [
    { type: 'image', source },
    { type: 'text', text },
  ];
  const messages = [{ role: 'user', content: blocks }];
  const asking = { model: LOOKER, messages, thinking: { type: 'disabled' } };
  const message = { ...asking, max_tokens: steps.length, temperature: 0 };
  expect(await postJson(looking, '/messages', message)).toMatchObject({
    content: [{ type: 'text', text: answer }],
  });
  const counted = await postJson(looking, '/messages/count_tokens', asking);
  expect(counted).toEqual({ input_tokens: promptTokens });
});

test('images that cannot be read are refused, and the model answers on', async ({ looking }) => {
  const broken = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`;
  const invalid = { status: 400, code: 'invalid_image' };
  expect(await refusal(looking, asked(broken, 'What is it?'))).toMatchObject(invalid);
  const thin = await looking.evaluate(DRAW, { ...FIRST.picture, width: 4 });
  expect(await refusal(looking, asked(thin, 'What is it?'))).toMatchObject(invalid);
  const square = { ...FIRST.picture, width: 270 };
  const [one, two] = [
    await looking.evaluate(DRAW, square),
    await looking.evaluate(DRAW, { ...square, colour: [0, 0, 0] }),
  ];
  const content = [one, two].map((url) => ({ type: 'image_url' as const, image_url: { url } }));
  const tooMany = { model: LOOKER, messages: [{ role: 'user' as const, content }] };
  expect(await refusal(looking, tooMany)).toMatchObject({
    status: 400,
    code: 'context_length_exceeded',
  });
  const { choices } = await complete(looking, {
    model: LOOKER,
    messages: [{ role: 'user', content: 'Hello!' }],
    temperature: 0,
    max_tokens: 4,
  });
  expect(choices[0]?.message.content).toBeTruthy();
});

test('an answer about an image is the same when another tab takes over', async ({ fresh }) => {
  const { whole, answer, faultAt } = await withTestSite(['tiny-look'], (site) =>
    withHold(site, async (hold) => {
      const leader = await openStarted(fresh, site.url, { model: LOOKER });
      const reader = await openStarted(fresh, site.url);
      const url = await reader.evaluate(DRAW, FIRST.picture);
      const body = asked(url, FIRST.text, { ignore_eos: true, max_tokens: 100 });
      return askWithFault({ reader, hold }, body, () => leader.close());
    }),
  );
  const { text, finishReasons, usage } = whole;
  expect(answer).toMatchObject({ text, finishReasons, usage, done: true, error: null });
  expect(answer.times.at(-1)).toBeGreaterThan(faultAt);
});

test('no image is stored, nor what is asked about it', async ({ looking }) => {
  const url = await looking.evaluate(DRAW, FIRST.picture);
  await complete(looking, asked(url, 'Is it unusually purple?', { max_tokens: 8 }));
  const [, base64 = ''] = url.split(',');
  const inFile = Buffer.from(base64, 'base64').subarray(60, 100);
  for (const text of [base64.slice(40, 100), inFile, 'unusually purple']) {
    expect(await placesWithText(looking, text)).toEqual([]);
  }
});

test('the list of models says that it sees', async ({ looking }) => {
  const { data } = await looking.evaluate(async () => {
    const { baseURL, apiKey } = window.v1;
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseURL}/models`, { headers });
    return (await response.json()) as { data: { id: string; input_modalities: string[] }[] };
  });
  const found = data.find(({ id }) => id === LOOKER);
  expect(found).toMatchObject({ input_modalities: ['text', 'image'] });
});
