import { complete } from '../support/chat.ts';
import {
  openPage,
  openStarted,
  test as base,
  expect,
  TINY,
  withProfile,
} from '../support/fixtures.ts';
import { startFailure } from '../support/browser/start-failure.ts';
import { phrases, said } from '../support/media/hearing.ts';
import { RECOGNISER, withTestSite, type TestSite } from '../support/site.ts';
import type { Page } from 'playwright/test';

const test = base.extend<object, { talkingSite: TestSite; talking: Page }>({
  talkingSite: [
    ({}, use) => withTestSite(['tiny-chat', 'test-piper', 'tiny-hear'], use),
    { scope: 'worker' },
  ],
  talking: [
    ({ talkingSite }, use) =>
      withProfile(async (profile) =>
        use(await openStarted(profile, talkingSite.url, { hear: RECOGNISER })),
      ),
    { scope: 'worker' },
  ],
});

const [phrase] = phrases;
if (!phrase) throw new Error('There is no phrase.');
const wav = said(phrase).toString('base64');
const QUESTION = 'What is the capital of France?';
const asked = { messages: [{ role: 'user' as const, content: QUESTION }], temperature: 0 };
const audio = { voice: 'joe', format: 'wav' as const };
const spoken = { ...asked, modalities: ['text' as const, 'audio' as const], audio };

/** Seconds and loudness of a file, as the browser decodes it. */
function played(page: Page, data: string) {
  return page.evaluate(async (base64) => {
    const file = await (await fetch(`data:;base64,${base64}`)).arrayBuffer();
    const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(file);
    const samples = sound.getChannelData(0);
    const squares = samples.reduce((sum, sample) => sum + sample * sample, 0);
    return { seconds: sound.duration, loudness: Math.sqrt(squares / samples.length) };
  }, data);
}

test('an answer is spoken, and a later turn names it by its id', async ({ talking }) => {
  const written = (await complete(talking, asked)).choices[0]?.message.content ?? '';
  const message = (await complete(talking, spoken)).choices[0]?.message;
  expect(message?.content).toBeNull();
  expect(message?.audio?.transcript).toBe(written);
  const { seconds, loudness } = await played(talking, message?.audio?.data ?? '');
  expect(seconds).toBeGreaterThan(0.5);
  expect(loudness).toBeGreaterThan(0.02);
  const turn = (part: object) => ({
    temperature: 0,
    messages: [...asked.messages, { role: 'assistant' as const, ...part }, ...asked.messages],
  });
  const byId = await complete(talking, turn({ audio: { id: message?.audio?.id ?? '' } }));
  const byText = await complete(talking, turn({ content: written }));
  expect(byId.usage?.prompt_tokens).toBe(byText.usage?.prompt_tokens);
});

test('a spoken answer is streamed as 16-bit samples at 24 kHz', async ({ talking }) => {
  const body = { ...spoken, model: TINY, stream: true as const };
  const chunks = await talking.evaluate(
    async (request) => Array.fromAsync(await window.client.chat.completions.create(request)),
    { ...body, audio: { voice: 'joe', format: 'pcm16' as const } },
  );
  type News = { id?: string; transcript?: string; data?: string; expires_at?: number };
  const news = chunks.flatMap(({ choices }) =>
    choices.flatMap(({ delta }): News[] => ('audio' in delta ? [delta.audio] : [])),
  );
  expect(news[0]).toEqual({ id: expect.stringMatching(/^audio_/) });
  expect(news.at(-1)).toEqual({ expires_at: expect.any(Number) });
  expect(news.map(({ transcript = '' }) => transcript).join('')).toContain('Paris');
  const bytes = news.reduce((sum, { data = '' }) => sum + Buffer.from(data, 'base64').length, 0);
  const whole = (await complete(talking, spoken)).choices[0]?.message.audio?.data ?? '';
  const { seconds } = await played(talking, whole);
  // The voice never says a text twice in the same time.
  expect(Math.abs(bytes / 2 / 24_000 - seconds)).toBeLessThan(0.5);
});

test('start() refuses a name of the transcribing model that is no id', async ({
  fresh,
  talkingSite,
}) => {
  const page = await openPage(fresh, talkingSite.url);
  for (const hear of [7, '', {}]) {
    const failure = await startFailure(page, { hear } as object);
    expect(failure).toEqual(['invalid_option', 'hear must be the id of a model.']);
  }
});

test('a recording is answered as what is said in it', async ({ talking }) => {
  const sound = {
    type: 'input_audio' as const,
    input_audio: { data: wav, format: 'wav' as const },
  };
  const text = { type: 'text' as const, text: `<transcript>${phrase.text}</transcript>` };
  const [heard, read] = [
    await complete(talking, { messages: [{ role: 'user', content: [sound] }], temperature: 0 }),
    await complete(talking, { messages: [{ role: 'user', content: [text] }], temperature: 0 }),
  ];
  expect(heard.choices).toEqual(read.choices);
  expect(heard.usage?.prompt_tokens).toBe(read.usage?.prompt_tokens);
  expect(heard.usage?.prompt_tokens_details?.audio_tokens).toBe(0);
  const models = await talking.evaluate(() => window.client.models.list());
  expect(models.data.find(({ id }) => id === TINY)).toMatchObject({
    audio_by: 'transcription',
  });
});
