import type { SpeakJob } from '../../src/core/protocol/engine.ts';
import { expect, TINY } from './support/fixtures.ts';
import { KOKORO, PIPER } from './support/site.ts';
import { joe, speak, test } from './support/speaking.ts';

// Synthesis takes up to ten times as long as usual on a machine that has other work.
test.describe.configure({ timeout: 240_000 });

test('a page that never speaks fetches nothing of it', async ({ ready, site }) => {
  await ready.evaluate((model) => {
    const messages = [{ role: 'user' as const, content: 'Hello!' }];
    return window.client.chat.completions.create({ model, messages });
  }, TINY);
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

test('and an MP3 file', async ({ speaking }) => {
  const mp3 = joe('Hello there. How are you today?', { response_format: 'mp3' });
  const sound = await speak(speaking.page, mp3);
  expect(sound.type).toBe('audio/mpeg');
  expect(sound.seconds).toBeGreaterThan(1);
  expect(sound.seconds).toBeLessThan(5);
  expect(sound.loudness).toBeGreaterThan(0.02);
});

test('Kokoro, which comes with the site, speaks; each speed takes as long as it should', async ({
  speaking,
}) => {
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

test('plain fetch gets the first sentence before anyone knows how long the last one is', async ({
  speaking,
}) => {
  const { riffBytes, total, seconds } = await speaking.page.evaluate(
    async ({ body, apiKey }) => {
      const response = await fetch('v1/audio/speech', {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const file = await response.arrayBuffer();
      const view = new DataView(file);
      const rate = view.getUint32(24, true);
      return {
        riffBytes: view.getUint32(4, true),
        total: file.byteLength,
        seconds: (file.byteLength - 44) / 2 / rate,
      };
    },
    {
      body: joe('One fish. Two fish. Red fish.'),
      apiKey: await speaking.page.evaluate(() => window.v1.apiKey),
    },
  );
  // What the header says of a file whose end was not known when it was sent.
  expect(riffBytes).toBe(0xffffffff);
  expect(total).toBeGreaterThan(44);
  expect(seconds).toBeGreaterThan(1.5);
});

test('cancelling stops it at the next sentence, and the next speech is spoken', async ({
  speaking,
}) => {
  const job: SpeakJob = {
    ...{ op: 'speak', model: PIPER, voice: 'joe', language: 'en-US', speed: 1, format: 'wav' },
    text: 'One fish. Two fish. Red fish. Blue fish. '.repeat(20),
  };
  const late = await speaking.page.evaluate(async (long) => {
    let count = 0;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const send = await window.connectEngine((message) => {
      if (message.type === 'event' && message.id === 1 && message.event.type === 'audio') {
        if (++count > 1) return;
        send({ type: 'cancel', id: 1 });
        send({ type: 'run', id: 2, job: { ...long, text: 'Stop.' } });
      }
      if (message.type === 'done' && message.id === 2) resolve();
    });
    send({ type: 'run', id: 1, job: long });
    await done;
    return count - 1;
  }, job);
  // The one that was under way.
  expect(late).toBeLessThanOrEqual(1);
});

test('what cannot be spoken is refused with a reason', async ({ speaking }) => {
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
  const chat = speaking.page.evaluate(
    (model) =>
      window.client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    PIPER,
  );
  await expect(chat).rejects.toThrow(/40[04] /);
});

test('the second use needs no network, and none has left the site', async ({
  speaking: { page, urls },
  speechSite: site,
}) => {
  await speak(page, joe('Hello.', { response_format: 'mp3' }));
  // The worker that spoke ends, and with it all that it had in memory.
  await page.evaluate((model) => window.v1.models.unload(model), PIPER);
  site.online = false;
  try {
    const { seconds } = await speak(page, joe('Hello.', { response_format: 'mp3' }));
    expect(seconds).toBeGreaterThan(0.2);
  } finally {
    site.online = true;
  }
  expect(urls.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
});

test('a site without the speech files says so, and speaks as soon as it has them', async ({
  speaking: { page },
  speechSite: site,
}) => {
  for (const file of ['speech.js', 'speech.wasm']) {
    await page.evaluate((model) => window.v1.models.unload(model), PIPER);
    site.intercept = (request, response) => {
      if (request.url !== `/${file}`) return false;
      response.writeHead(404).end();
      return true;
    };
    await expect(speak(page, joe('Hello.'))).rejects.toThrow(new RegExp(`500 .*/${file}`));
    site.intercept = undefined;
  }
  expect((await speak(page, joe('Hello.'))).seconds).toBeGreaterThan(0.2);
});
