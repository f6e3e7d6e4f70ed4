import { say } from '../support/chat.ts';
import type { DrivenPage } from '../support/browser/driven-page.ts';
import { expect } from '../support/fixtures.ts';
import { phrases, recording, said, test, transcribe } from '../support/media/hearing.ts';
import { RECOGNISER, TINY } from '../support/site.ts';

const [phrase] = phrases;
if (!phrase) throw new Error('There is no phrase.');

const WINDOWS = 4;
/** Each window is full of speech, so it takes much longer than a token of a chat. */
const long = recording(
  WINDOWS * 30,
  Array.from({ length: WINDOWS * 10 }, (_, index) => ({ at: index * 3, phrase })),
);

const short = said(phrase);

/** What happens beside a long transcription. */
type Beside = 'chat' | 'recording' | 'abort';

/**
 * Begins another request when the first window of a long recording has been heard, and tells what happens from then on, in
 * order.
 */
function happenings(page: DrivenPage, beside: Beside): Promise<string[]> {
  return page.evaluate(
    async ([sounds, what, recogniser, chatModel]) => {
      const files = await Promise.all(
        sounds.map(async (base64) => {
          const blob = await (await fetch(`data:;base64,${base64}`)).blob();
          return new File([blob], 'a.wav');
        }),
      );
      const [longFile, shortFile] = files;
      if (!longFile || !shortFile) throw new Error('There are two files.');
      const log: string[] = [];
      const { audio, chat } = window.client;
      const hear = async () => {
        const { text } = await audio.transcriptions.create({ file: shortFile, model: recogniser });
        log.push(`short: ${text}`);
      };
      const write = async () => {
        const messages = [{ role: 'user' as const, content: 'Hello!' }];
        const request = { model: chatModel, messages, max_tokens: 3, stream: true as const };
        for await (const { choices } of await chat.completions.create(request)) {
          if (choices[0]?.delta.content && !log.includes('token')) log.push('token');
        }
      };
      const controller = new AbortController();
      const stream = await audio.transcriptions.create(
        { file: longFile, model: recogniser, language: 'en', stream: true },
        { signal: controller.signal },
      );
      let other: Promise<void> | undefined;
      for await (const { type } of stream) {
        if (!other) other = what === 'chat' ? write() : hear();
        else log.push(type === 'transcript.text.delta' ? 'window' : 'end');
        if (what === 'abort') controller.abort();
      }
      if (what === 'abort') log.push('aborted');
      await other;
      return log;
    },
    [[long.toString('base64'), short.toString('base64')], beside, RECOGNISER, TINY] as const,
  );
}

test.beforeAll(async ({ hearing }) => {
  // Both models are in memory from here on.
  expect((await transcribe(hearing, short)).status).toBe(200);
  expect(await say(hearing, 'Say blue.')).toBe('blue');
});

test('a chat waits for no more than the window that is being read', async ({ hearing }) => {
  const log = await happenings(hearing, 'chat');
  const token = log.indexOf('token');
  expect(log.at(-1)).toBe('end');
  expect(log.filter((each) => each === 'window').length).toBeGreaterThanOrEqual(WINDOWS - 2);
  expect(token, log.join()).toBeGreaterThanOrEqual(0);
  expect(token, log.join()).toBeLessThanOrEqual(1);
});

test('another recording has its turn after the window that is being read', async ({ hearing }) => {
  const log = await happenings(hearing, 'recording');
  const end = log.indexOf(`short: ${phrase.text}`);
  expect(log.at(-1)).toBe('end');
  expect(end, log.join()).toBeGreaterThanOrEqual(0);
  // The second recording's file has to arrive first.
  expect(end, log.join()).toBeLessThanOrEqual(2);
});

test('after an abort no window is heard, and the next recording is', async ({ hearing }) => {
  expect(await happenings(hearing, 'abort')).toEqual(['aborted', `short: ${phrase.text}`]);
});
