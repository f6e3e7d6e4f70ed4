import { HAS_FFPROBE, NO_FFPROBE, probe } from '../../support/sound/ffprobe.ts';
import { longestClip, loudness, wavSamples } from '../../support/sound/sound.ts';
import { say } from '../support/chat.ts';
import { expect, TINY } from '../support/fixtures.ts';
import { countTo, user } from '../support/prompts.ts';
import { KOKORO } from '../support/site.ts';
import { joe, speak, test } from '../support/media/speaking.ts';
import { speechFile } from '../support/media/speech-file.ts';

// On a busy machine, synthesis takes up to ten times as long as usual.
test.describe.configure({ timeout: 240_000 });

const FILES = [
  ['wav', 'pcm_s16le'],
  ['mp3', 'mp3'],
] as const;

for (const [format, codec] of FILES) {
  test(`ffprobe finds the right format and length in a streamed ${format} file`, async ({
    speaking,
  }) => {
    test.skip(!HAS_FFPROBE, NO_FFPROBE);
    const input = 'One fish. Two fish. Red fish, blue fish.';
    const file = await speechFile(speaking.page, joe(input, { response_format: format }));
    const found = probe(file);
    expect(found).toMatchObject({ codec, rate: 22_050, channels: 1 });
    expect(found.decodedSeconds).toBeGreaterThan(2);
    expect(found.decodedSeconds).toBeLessThan(8);
    // WAV has 16 bits for each sample, MP3 has 64 kilobits for each second.
    const bytesPerSecond = format === 'wav' ? 22_050 * 2 : 64_000 / 8;
    expect(file.length / bytesPerSecond).toBeCloseTo(found.decodedSeconds, 0);
    expect(found.seconds).toBeCloseTo(found.decodedSeconds, 0);
  });
}

test('a speech is neither too soft nor too loud, and it is not clipped', async ({ speaking }) => {
  const file = await speechFile(speaking.page, joe('Hello there. How are you today?'));
  const { samples } = wavSamples(file);
  expect(loudness(samples)).toBeGreaterThan(0.03);
  expect(loudness(samples)).toBeLessThan(0.3);
  expect(longestClip(samples)).toBeLessThan(3);
});

test('chat and speech at the same time both finish', async ({ speaking }) => {
  const [sound, answer] = await Promise.all([
    speak(speaking.page, joe('One fish. Two fish. Red fish. Blue fish.')),
    say(speaking.page, 'Count to 5'),
  ]);
  expect(sound.seconds).toBeGreaterThan(2);
  expect(answer).toBe(countTo(5));
});

test('a chat during a speech of 4,000 characters waits for at most one sentence of it', async ({
  speaking: { page },
}) => {
  // One short sentence, then long ones.
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
      const said = await client.chat.completions.create(chat);
      const seen = { heard: pieces - before, isOver: ended };
      leaving.abort();
      await listened;
      return { answer: said.choices[0]?.message.content, ...seen };
    },
    {
      speech: { model: KOKORO, voice: 'af_heart', input },
      chat: { model: TINY, messages: [user('Count to 5')], temperature: 0 },
    },
  );
  expect(answer).toBe(countTo(5));
  expect(isOver).toBe(false);
  expect(heard).toBeLessThanOrEqual(1);
});
