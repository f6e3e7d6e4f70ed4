import * as v from 'valibot';
import { seededRandom } from '../scripts/seeded-random.ts';
import { call, withBrowser } from './browser.ts';
import { counted, measured, type Reading } from './figures.ts';
import type { Launch } from './section.ts';
import { decidedText, QUESTIONS, TEAMS, WORDS } from './decided-text.ts';
import { median } from './statistics.ts';

const MODEL = 'HuggingFaceTB/SmolLM2-135M-Instruct';
const ROUNDS = 3;
const usageSchema = v.object({
  usage: v.object({
    input_tokens: v.number(),
    input_tokens_details: v.object({ cached_tokens: v.number() }),
  }),
});
const completionSchema = v.object({
  usage: v.object({
    prompt_tokens: v.number(),
    prompt_tokens_details: v.object({ cached_tokens: v.number() }),
  }),
});
const postedSchema = v.object({ ms: v.number(), answer: v.unknown() });

/** Ten questions about a text, beside reading as many tokens, and beside ten chats that write one of the options. */
export function decisions({
  origin,
  isSwapped,
  pairs: rounds = ROUNDS,
}: Launch): Promise<Reading[]> {
  return withBrowser(async (browser) => {
    const page = await browser.open(`${origin}/slashv1/v1.html`);
    await page.evaluate(call('bench.startV1', MODEL, { engines: ['llamacpp'], threads: 1 }));
    const post = async (path: string, body: object) =>
      v.parse(
        postedSchema,
        await page.evaluate(call('bench.postV1', path, { model: MODEL, ...body })),
      );
    const random = seededRandom(1);
    const input = () => decidedText(random, WORDS);
    const decide = async () => {
      const { ms, answer } = await post('decisions', { input: input(), questions: QUESTIONS });
      const { usage } = v.parse(usageSchema, answer);
      return { ms, read: usage.input_tokens - usage.input_tokens_details.cached_tokens };
    };
    /** Milliseconds to read this many tokens. */
    const read = async (tokens: number) => {
      const prompt = decidedText(random, Math.round((tokens * WORDS) / 300));
      const { ms, answer } = await post('completions', { prompt, max_tokens: 1 });
      const { prompt_tokens: all, prompt_tokens_details: details } = v.parse(
        completionSchema,
        answer,
      ).usage;
      return (ms * tokens) / (all - details.cached_tokens);
    };
    /** Milliseconds of ten chats. What stands before the text is read again with the text of every chat. */
    const chats = async (isTextFirst: boolean) => {
      const text = input();
      let sum = 0;
      for (const { instructions } of QUESTIONS) {
        const question = `${instructions} Answer with one of: ${TEAMS.join(', ')}.`;
        const content = (isTextFirst ? [text, question] : [question, text]).join('\n\n');
        const { ms } = await post('chat/completions', {
          messages: [{ role: 'user', content }],
          guided_choice: TEAMS,
          temperature: 0,
        });
        sum += ms;
      }
      return sum;
    };
    const rows: { ms: number; tokens: number; readMs: number; chatsMs: number }[] = [];
    // The first round is a warm-up and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const isChatsFirst = (round % 2 === 1) !== isSwapped;
      const before = isChatsFirst ? await chats(true) : undefined;
      const { ms, read: tokens } = await decide();
      const readMs = await read(tokens);
      rows.push({ ms, tokens, readMs, chatsMs: before ?? (await chats(true)) });
    }
    const apartMs = await chats(false);
    const of = (value: (row: (typeof rows)[number]) => number) => median(rows.slice(1).map(value));
    return [
      measured(
        'decide.ms',
        of(({ ms }) => ms),
        'ten choices about 300 tokens',
      ),
      measured(
        'decide.read_ratio',
        of(({ ms, readMs }) => ms / readMs),
        'reading as many tokens',
      ),
      measured(
        'decide.chats_ratio',
        of(({ ms, chatsMs }) => ms / chatsMs),
        'ten guided chats, the text first',
      ),
      measured(
        'decide.apart_ratio',
        of(({ ms }) => ms / apartMs),
        'ten guided chats, the question first',
      ),
      measured(
        'decide.read_ms',
        of(({ readMs }) => readMs),
      ),
      measured(
        'decide.chats_ms',
        of(({ chatsMs }) => chatsMs),
      ),
      counted(
        'decide.tokens',
        of(({ tokens }) => tokens),
        'both orders of the options',
      ),
    ];
  });
}
