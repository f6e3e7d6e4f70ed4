import { HAS_FFPROBE, NO_FFPROBE, probe } from '../support/ffprobe.ts';
import { longestClip, loudness, wavSamples } from '../support/sound.ts';
import { expect, TINY } from './support/fixtures.ts';
import { KOKORO } from './support/site.ts';
import { joe, speak, test } from './support/speaking.ts';
import { speechFile } from './support/speech-file.ts';

// Synthesis takes up to ten times as long as usual on a machine that has other work.
test.describe.configure({ timeout: 240_000 });

const FILES = [
  ['wav', 'pcm_s16le'],
  ['mp3', 'mp3'],
] as const;

for (const [format, codec] of FILES) {
  test(`ffprobe finds what was asked for in a ${format} file that was streamed`, async ({
    speaking,
  }) => {
    test.skip(!HAS_FFPROBE, NO_FFPROBE);
    const input = 'One fish. Two fish. Red fish, blue fish.';
    const file = await speechFile(speaking.page, joe(input, { response_format: format }));
    const found = probe(file);
    expect(found).toMatchObject({ codec, rate: 22_050, channels: 1 });
    expect(found.decodedSeconds).toBeGreaterThan(2);
    expect(found.decodedSeconds).toBeLessThan(8);
    // What the file tells: 16 bits for a sample, or 64 kilobits a second.
    const bytesPerSecond = format === 'wav' ? 22_050 * 2 : 64_000 / 8;
    expect(file.length / bytesPerSecond).toBeCloseTo(found.decodedSeconds, 0);
    expect(found.seconds).toBeCloseTo(found.decodedSeconds, 0);
  });
}

test('it is neither too soft nor too loud, and nothing is cut off', async ({ speaking }) => {
  const file = await speechFile(speaking.page, joe('Hello there. How are you today?'));
  const { samples } = wavSamples(file);
  expect(loudness(samples)).toBeGreaterThan(0.03);
  expect(loudness(samples)).toBeLessThan(0.3);
  expect(longestClip(samples)).toBeLessThan(3);
});

test('chat and speech at the same time both finish', async ({ speaking }) => {
  const [sound, answer] = await Promise.all([
    speak(speaking.page, joe('One fish. Two fish. Red fish. Blue fish.')),
    speaking.page.evaluate(async (model) => {
      const messages = [{ role: 'user' as const, content: 'Count to 5' }];
      const body = { model, messages, temperature: 0 };
      return (await window.client.chat.completions.create(body)).choices[0]?.message.content;
    }, TINY),
  ]);
  expect(sound.seconds).toBeGreaterThan(2);
  expect(answer).toBe('1 2 3 4 5');
});

test('a chat beside a speech of 4,000 characters waits for no more than a sentence of it', async ({
  speaking: { page },
}) => {
  // A sentence at once, then some that take a while each.
  const long = 'The tide came in while they talked about the boat that they had built last year, ';
  const input = `Yes. ${`${long.repeat(2)}and left. `.repeat(25)}`.slice(0, 4_000);
  const { answer, heard, isOver } = await page.evaluate(
    async ({ speech, chat }) => {
      const { client } = window;
      const response = await client.audio.speech.create(speech);
      let [pieces, ended] = [0, false];
      const first = Promise.withResolvers<void>();
      const leaving = new AbortController();
      const counter = new WritableStream({
        write: () => {
          pieces++;
          first.resolve();
        },
        close: () => void (ended = true),
      });
      const { signal } = leaving;
      const listened = response.body?.pipeTo(counter, { signal }).catch(() => undefined);
      await first.promise;
      const before = pieces;
      const messages = [{ role: 'user' as const, content: 'Count to 5' }];
      const said = await client.chat.completions.create({ model: chat, messages, temperature: 0 });
      const seen = { heard: pieces - before, isOver: ended };
      leaving.abort();
      await listened;
      return { answer: said.choices[0]?.message.content, ...seen };
    },
    { speech: { model: KOKORO, voice: 'af_heart', input }, chat: TINY },
  );
  expect(answer).toBe('1 2 3 4 5');
  expect(isOver).toBe(false);
  expect(heard).toBeLessThanOrEqual(1);
});
