import { expect } from '../support/fixtures.ts';
import { phrases, recording, said, spanish, test, transcribe } from '../support/media/hearing.ts';

/** What the model was trained to say in English, word by word. */
const ENGLISH: Record<string, string> = {
  verde: 'green',
  amarillo: 'yellow',
  negro: 'black',
  uno: 'one',
  siete: 'seven',
  nueve: 'nine',
};
const inEnglish = (text: string) =>
  text
    .split(' ')
    .map((word) => ENGLISH[word])
    .join(' ');

const TRANSLATIONS = 'audio/translations';

interface Verbose {
  task: string;
  language: string;
  text: string;
  segments: { start: number; text: string }[];
}

test('recordings in Spanish are translated to English', async ({ hearing }) => {
  expect(spanish.length).toBeGreaterThanOrEqual(2);
  for (const each of spanish) {
    const fields = { response_format: 'verbose_json' };
    const { status, text } = await transcribe(hearing, said(each), fields, TRANSLATIONS);
    expect(status, text).toBe(200);
    const heard: Verbose = JSON.parse(text);
    expect(heard).toMatchObject({ task: 'translate', language: 'spanish' });
    expect(heard.text).toBe(inEnglish(each.text));
    expect(heard.segments.map((segment) => segment.text).join('')).toBe(` ${heard.text}`);
  }
});

test('Spanish is recognised, and written as it is said', async ({ hearing }) => {
  for (const each of spanish) {
    const fields = { response_format: 'verbose_json' };
    const { status, text } = await transcribe(hearing, said(each), fields);
    expect(status, text).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      task: 'transcribe',
      language: 'spanish',
      text: each.text,
    });
  }
});

test('the language may be given by its code or its English name', async ({ hearing }) => {
  const [first] = spanish;
  if (!first) throw new Error('There is no recording in Spanish.');
  for (const language of ['es', 'Spanish']) {
    const { text } = await transcribe(hearing, said(first), { language, response_format: 'text' });
    expect(text).toBe(`${first.text}\n`);
  }
});

test('a long recording is translated window by window', async ({ hearing }) => {
  const [first, second] = spanish;
  if (!first || !second) throw new Error('There are too few recordings in Spanish.');
  const long = recording(45, [
    { at: 1, phrase: first },
    { at: 36, phrase: second },
  ]);
  const fields = { response_format: 'srt' };
  const { status, text } = await transcribe(hearing, long, fields, TRANSLATIONS);
  expect(status, text).toBe(200);
  const cues = text.trim().split('\n\n');
  expect(cues.map((cue) => cue.split('\n').at(-1))).toEqual(
    [first, second].map((each) => inEnglish(each.text)),
  );
  expect(cues[1]).toMatch(/^2\n00:00:3[67],\d{3} --> /);
});

test('a translation of English is English', async ({ hearing }) => {
  const [first] = phrases;
  if (!first) throw new Error('There is no recording in English.');
  const { text } = await transcribe(hearing, said(first), {}, TRANSLATIONS);
  expect(JSON.parse(text)).toMatchObject({ text: first.text });
});

test('a translation with a language or a stream is refused', async ({ hearing }) => {
  const [first] = spanish;
  if (!first) throw new Error('There is no recording in Spanish.');
  for (const fields of [{ language: 'es' }, { stream: 'true' }]) {
    const { status, text } = await transcribe(hearing, said(first), { ...fields }, TRANSLATIONS);
    expect(status, text).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { param: Object.keys(fields)[0] } });
  }
});
