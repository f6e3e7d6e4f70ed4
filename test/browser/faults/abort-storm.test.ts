import { expect, test, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

const REQUESTS = 200;

test('after 200 requests, aborted at different moments, the next one is answered', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const outcomes = await page.evaluate(
    async ([model, count]) => {
      const ask = (content: string, signal?: AbortSignal) =>
        window.client.chat.completions.create(
          {
            model,
            temperature: 0,
            stream: true,
            messages: [{ role: 'user', content }],
          },
          { signal },
        );
      /** Aborts before the request (0), right after it (1), or after some pieces of the answer. */
      const abortAt = async (moment: number) => {
        const controller = new AbortController();
        if (moment === 0) controller.abort();
        const asked = ask('Count to 100.', controller.signal);
        if (moment === 1) controller.abort();
        let pieces = 2;
        for await (const _ of await asked) if (++pieces > moment) controller.abort();
        return controller.signal.aborted;
      };
      const moments = Array.from({ length: count }, (_, index) => (index * 7) % 12);
      const ended: string[] = [];
      const next = async (): Promise<void> => {
        const moment = moments.pop();
        if (moment === undefined) return;
        await abortAt(moment).then(
          (aborted) => ended.push(aborted ? 'aborted' : 'whole'),
          (error: unknown) =>
            // The openai package either throws this error or ends its iterator.
            ended.push(
              error instanceof window.OpenAI.APIUserAbortError ? 'aborted' : String(error),
            ),
        );
        return next();
      };
      // One key may have no more requests than this at a time.
      await Promise.all(Array.from({ length: 20 }, next));
      let text = '';
      for await (const chunk of await ask('Hello!')) text += chunk.choices[0]?.delta.content ?? '';
      return { ended, text };
    },
    [TINY, REQUESTS] as const,
  );
  expect(outcomes.ended).toEqual(Array(REQUESTS).fill('aborted'));
  expect(outcomes.text).toBe(GREETING);
});
