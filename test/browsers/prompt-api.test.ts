import type {} from '../browser/support/sites/prompt-api.ts';
import { GREETING } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { expect, test } from './support/fixtures.ts';

test('the Prompt API works, and the import gives it to the page', async ({ site, newTab }) => {
  const tab = await newTab(site.url);
  const found = await tab.evaluate(
    async ([script, model]) => {
      const hadNone = !('LanguageModel' in window);
      const { LanguageModel: Own, configure } = (await import(script)) as typeof window.promptApi;
      configure({ model, engines: ['llamacpp'] });
      const loaded: number[] = [];
      const before = await Own.availability();
      const session = await Own.create({
        monitor: (monitor) => (monitor.ondownloadprogress = (event) => loaded.push(event.loaded)),
      });
      const answer = await session.prompt('Hello!');
      const reader = session.promptStreaming('Who are you?').getReader();
      let streamed = '';
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        streamed += piece.value;
      }
      const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
      const json = await session.prompt('hello', { responseConstraint: schema });
      const failure = (promise: Promise<unknown>) =>
        promise.then(
          () => undefined,
          (error: Error & { requested?: number; quota?: number }) => error,
        );
      const tooLong = await failure(session.prompt('Hello! '.repeat(2048)));
      const aborting = new AbortController();
      const aborted = failure(session.prompt('Hello!', { signal: aborting.signal }));
      aborting.abort();
      const abort = await aborted;
      session.destroy();
      return {
        before,
        answer,
        streamed,
        ok: typeof JSON.parse(json).ok,
        isGiven: !hadNone || window.LanguageModel === Own,
        ends: [loaded[0], loaded.at(-1)],
        isPartial: loaded.every((value, index) => value > (loaded[index - 1] ?? -1)),
        quota: [tooLong?.name, tooLong?.quota, (tooLong?.requested ?? 0) > 2048],
        names: [abort?.name, (await failure(session.prompt('Hi')))?.name],
      };
    },
    [`${site.url}prompt-api.js`, TINY] as const,
  );
  expect(found).toEqual({
    before: 'downloadable',
    answer: GREETING,
    streamed: 'I am Pip, a small test model.',
    ok: 'boolean',
    isGiven: true,
    ends: [0, 1],
    isPartial: true,
    quota: ['QuotaExceededError', 2048, true],
    names: ['AbortError', 'InvalidStateError'],
  });
});
