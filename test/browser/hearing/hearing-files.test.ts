import { readFileSync } from 'node:fs';
import { seededRandom } from '../../../scripts/seeded-random.ts';
import type { DrivenPage } from '../support/browser/driven-page.ts';
import { expect } from '../support/fixtures.ts';
import { flacOf, mp3Of, phrases, said, test, transcribe } from '../support/media/hearing.ts';

const fixture = (path: string) => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url));

const [phrase] = phrases;
if (!phrase) throw new Error('There is no phrase.');

/** One phrase in each container. */
const WHOLE: Record<string, Buffer> = {
  wav: said(phrase),
  flac: flacOf(phrase),
  mp3: await mp3Of(phrase),
  m4a: fixture('sounds/aac.m4a'),
  ogg: fixture('sounds/vorbis.ogg'),
  webm: fixture('sounds/opus.webm'),
};

/** Bytes in no known format. */
function garbage(length: number): Buffer {
  const random = seededRandom(7);
  return Buffer.from(Uint8Array.from({ length }, () => Math.floor(random() * 256)));
}

/** Whether the browser itself says that it decodes a codec. */
function decodes(page: DrivenPage, codec: string): Promise<boolean> {
  return page.evaluate(async (name) => {
    const config = { codec: name, sampleRate: 16_000, numberOfChannels: 1 };
    return (await AudioDecoder.isConfigSupported(config)).supported === true;
  }, codec);
}

async function expectRefused(page: DrivenPage, file: Buffer, what: string): Promise<string> {
  const { status, text } = await transcribe(page, file);
  expect(status, `${what}: ${text}`).toBe(400);
  const { error }: { error: { message: string } } = JSON.parse(text);
  expect(error, what).toMatchObject({ type: 'invalid_request_error', param: 'file' });
  expect(error.message, what).toMatch(/^'file' [a-z].*\.$/);
  return error.message;
}

test('Vorbis in Ogg and Opus in WebM are decoded', async ({ hearing }) => {
  for (const kind of ['ogg', 'webm']) {
    const { text } = await transcribe(hearing, WHOLE[kind] ?? Buffer.alloc(0), { language: 'en' });
    expect(JSON.parse(text), kind).toMatchObject({ text: phrase.text });
  }
});

test('AAC in M4A is decoded, or the answer says that this browser cannot', async ({ hearing }) => {
  const file = fixture('sounds/aac.m4a');
  if (await decodes(hearing, 'mp4a.40.2')) {
    const { text } = await transcribe(hearing, file, { language: 'en' });
    expect(JSON.parse(text)).toMatchObject({ text: phrase.text });
  } else {
    expect(await expectRefused(hearing, file, 'AAC')).toContain('is encoded as aac');
  }
});

test('an encoding that no browser decodes is named', async ({ hearing }) => {
  expect(await decodes(hearing, 'ac-3')).toBe(false);
  expect(await expectRefused(hearing, fixture('sounds/ac3.m4a'), 'AC-3')).toBe(
    "'file' is encoded as ac3, which this browser cannot decode.",
  );
});

for (const [kind, whole] of Object.entries(WHOLE)) {
  test(`a broken ${kind} file is a 400 that names the file`, async ({ hearing }) => {
    for (const length of [1, 4, 11, 30]) {
      await expectRefused(hearing, whole.subarray(0, length), `${length} bytes of ${kind}`);
    }
    for (const length of [4, 12]) {
      const magic = whole.subarray(0, length);
      const file = Buffer.concat([magic, garbage(20_000)]);
      await expectRefused(hearing, file, `garbage after ${length} bytes of ${kind}`);
    }
  });
}

test('garbage in the middle of a recording fails nothing else', async ({ hearing }) => {
  for (const [kind, whole] of Object.entries(WHOLE)) {
    const file = Buffer.from(whole);
    garbage(whole.length / 4).copy(file, Math.floor(whole.length / 2));
    const { status, text } = await transcribe(hearing, file);
    expect([200, 400], `${kind}: ${text}`).toContain(status);
    if (status === 400) expect(text, kind).toContain("'file' ");
  }
  const { text } = await transcribe(hearing, said(phrase), { language: 'en' });
  expect(JSON.parse(text)).toMatchObject({ text: phrase.text });
});

test('files one after another are heard to the end, with garbage between them or at another sample rate', async ({
  hearing,
}) => {
  const { flac = garbage(0), mp3 = garbage(0) } = WHOLE;
  const files = {
    flac: [flac, garbage(3_000), flac],
    mp3: [garbage(3_000), mp3, garbage(3_000), await mp3Of(phrase, 2)],
  };
  for (const [kind, parts] of Object.entries(files)) {
    const { text } = await transcribe(hearing, Buffer.concat(parts), { language: 'en' });
    expect(JSON.parse(text), kind).toMatchObject({ text: `${phrase.text} ${phrase.text}` });
  }
});

test('what has no sound is a 400 that names the file', async ({ hearing }) => {
  await expectRefused(hearing, Buffer.alloc(0), 'nothing');
  await expectRefused(hearing, garbage(5_000), 'garbage');
  await expectRefused(hearing, fixture('tiny-see/red-circle.png'), 'a picture');
  for (const video of ['video.mp4', 'video.webm']) {
    const message = await expectRefused(hearing, fixture(`sounds/${video}`), video);
    expect(message).toBe("'file' has no sound.");
  }
});
