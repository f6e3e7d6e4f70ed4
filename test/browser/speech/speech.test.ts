import type { SpeakJob } from '../../../src/core/operations/jobs/jobs.ts';
import { complete } from '../support/chat.ts';
import { eventsOfCancelled } from '../support/engine-jobs.ts';
import { expect, TINY } from '../support/fixtures.ts';
import { unload } from '../support/models.ts';
import { KOKORO, PIPER, replaceFile } from '../support/site.ts';
import { joe, speak, test } from '../support/media/speaking.ts';

// On a busy machine, synthesis takes up to ten times as long as usual.
test.describe.configure({ timeout: 240_000 });

test('a page that never speaks fetches no files for speech', async ({ ready, site }) => {
  await complete(ready, {});
  expect(site.requests).toContain('/engine.js');
  expect(site.requests.filter((path) => path.includes('speech'))).toEqual([]);
});

test('the openai package gets a WAV file that the browser plays', async ({ speaking }) => {
  const sound = await speak(speaking.page, joe('Hello there. How are you today?'));
  expect(sound).toMatchObject({ type: 'audio/wav', opening: 'RIFF' });
  expect(sound.seconds).toBeGreaterThan(1);
  expect(sound.seconds).toBeLessThan(5);
  expect(sound.loudness).toBeGreaterThan(0.02);
  expect(sound.peak).toBeLessThanOrEqual(1);
});

test('the openai package gets an MP3 file that the browser plays', async ({ speaking }) => {
  const mp3 = joe('Hello there. How are you today?', { response_format: 'mp3' });
  const sound = await speak(speaking.page, mp3);
  expect(sound.type).toBe('audio/mpeg');
  expect(sound.seconds).toBeGreaterThan(1);
  expect(sound.seconds).toBeLessThan(5);
  expect(sound.loudness).toBeGreaterThan(0.02);
});

for (const [format, type] of [
  ['opus', 'audio/ogg; codecs=opus'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
] as const) {
  test(`the openai package gets ${format} if the browser has an encoder for it`, async ({
    speaking,
  }) => {
    const body = joe('Hello there. How are you today?', { response_format: format });
    const isEncoded = await speaking.page.evaluate(async (name) => {
      const codec = name === 'aac' ? 'mp4a.40.2' : name;
      const config = { codec, numberOfChannels: 1, sampleRate: 48_000 };
      return (await AudioEncoder.isConfigSupported(config)).supported;
    }, format);
    // Debian's Chromium encodes Opus; AAC and FLAC depend on the system.
    expect(isEncoded || format !== 'opus').toBe(true);
    if (!isEncoded) {
      await expect(speak(speaking.page, body)).rejects.toThrow(/400 'response_format' .*encoder/);
      return;
    }
    const sound = await speak(speaking.page, body);
    expect(sound.type).toBe(type);
    expect(sound.seconds).toBeGreaterThan(1);
    expect(sound.seconds).toBeLessThan(5);
    expect(sound.loudness).toBeGreaterThan(0.02);
  });
}

test('Kokoro speaks, and its length follows the speed', async ({ speaking }) => {
  const hello = { model: KOKORO, voice: 'bm_george', input: 'Hello!' };
  const { seconds, loudness } = await speak(speaking.page, hello);
  expect(seconds).toBeGreaterThan(0.4);
  expect(seconds).toBeLessThan(3);
  expect(loudness).toBeGreaterThan(0.02);
  for (const speed of [0.25, 4]) {
    const other = await speak(speaking.page, { ...hello, speed });
    expect(other.seconds * speed).toBeGreaterThan(0.97 * seconds);
    expect(other.seconds * speed).toBeLessThan(1.03 * seconds);
  }
});

test('plain fetch gets a WAV file whose header was sent before its length was known', async ({
  speaking,
}) => {
  const { riffBytes, total, seconds } = await speaking.page.evaluate(async (body) => {
    const response = await window.post('audio/speech', body);
    const file = await response.arrayBuffer();
    const view = new DataView(file);
    const rate = view.getUint32(24, true);
    return {
      riffBytes: view.getUint32(4, true),
      total: file.byteLength,
      seconds: (file.byteLength - 44) / 2 / rate,
    };
  }, joe('One fish. Two fish. Red fish.'));
  // The header of a file of unknown length has this.
  expect(riffBytes).toBe(0xffffffff);
  expect(total).toBeGreaterThan(44);
  expect(seconds).toBeGreaterThan(1.5);
});

test('cancelling stops a speech at the next sentence, and the next speech is spoken', async ({
  speaking,
  speechHold,
}) => {
  const job: SpeakJob = {
    op: 'speak',
    model: PIPER,
    voice: 'joe',
    language: 'en-US',
    speed: 1,
    format: 'wav',
    text: 'One fish. Two fish. Red fish. Blue fish. '.repeat(20),
  };
  const next = { ...job, text: 'Stop.' };
  await speak(speaking.page, joe('Hello.'));
  await speechHold.at({ batches: 2 });
  const jobs = { job, next, type: 'audio' } as const;
  const sentences = await eventsOfCancelled(speaking.page, speechHold, jobs);
  expect(sentences).toBeGreaterThan(0);
  expect(sentences).toBeLessThanOrEqual(2);
});

test('a speech that is not possible is refused with the reason', async ({ speaking }) => {
  const attempts = [
    joe('Hello', { voice: 'nobody' }),
    joe('😀'),
    { model: TINY, voice: 'joe', input: 'Hello' },
  ];
  const failures = await speaking.page.evaluate(async (bodies) => {
    const attempt = (body: (typeof bodies)[number]) =>
      window.client.audio.speech.create(body).then(
        () => 'spoken',
        (error: unknown) => String(error),
      );
    return Promise.all(bodies.map(attempt));
  }, attempts);
  expect(failures[0]).toMatch(/400 .*joe/);
  expect(failures[1]).toMatch(/400 .*nothing in it that could be spoken/);
  expect(failures[2]).toMatch(/40[04] /);
  await expect(complete(speaking.page, { model: PIPER })).rejects.toThrow(/40[04] /);
});

test('a voice speaks again without the network, and no request leaves the site', async ({
  speaking: { page, urls },
  speechSite: site,
}) => {
  const before = urls.length;
  await speak(page, joe('Hello.', { response_format: 'mp3' }));
  // This ends the speech worker, so the voice is no longer in memory.
  await unload(page, PIPER);
  site.online = false;
  try {
    const { seconds } = await speak(page, joe('Hello.', { response_format: 'mp3' }));
    expect(seconds).toBeGreaterThan(0.2);
  } finally {
    site.online = true;
  }
  const asked = urls.slice(before);
  expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
});

test('if a speech file is missing, the error names it, and the voice speaks once it is there', async ({
  speaking: { page },
  speechSite: site,
}) => {
  for (const file of ['onnx.js', 'onnx.wasm']) {
    await unload(page, PIPER);
    site.intercept = replaceFile(`/${file}`);
    await expect(speak(page, joe('Hello.'))).rejects.toThrow(new RegExp(`500 .*/${file}`));
    site.intercept = undefined;
  }
  expect((await speak(page, joe('Hello.'))).seconds).toBeGreaterThan(0.2);
});
