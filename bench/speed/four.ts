/**
 * Prints as JSON how fast llama.cpp writes for four clients at once: tokens of all in a second of the processor ÷ of one
 * client. The argument is the model's GGUF file. Both sides are the whole API, with an engine in this process that
 * computes on one thread. Fails if an answer is not what it is alone.
 */
import { readFileSync } from 'node:fs';
import { MODEL } from '../../test/contract/support/api.ts';
import { LlamaCppEngine } from '../../test/contract/support/llamacpp-engine.ts';
import { quickApp } from '../../test/contract/support/quick-app.ts';
import { median } from '../statistics.ts';
import { processorMs } from './processor-time.ts';
import { FOUR } from './requests.ts';
import { chunksOf, textOf } from './streamed-chat.ts';

/** Rounds; before them, one is not counted. */
const ROUNDS = 3;

/** When an answer had how many tokens. */
type Course = { ms: number; tokens: number }[];

const [path = ''] = process.argv.slice(2);
const { post } = quickApp(new LlamaCppEngine(Uint8Array.from(readFileSync(path))));

async function write(body: object): Promise<{ course: Course; deltas: string }> {
  const more = { model: MODEL, stream: true, timings_per_token: true };
  const response = await post('/chat/completions', JSON.stringify({ ...body, ...more }));
  if (!response.ok || !response.body) throw new Error(await response.text());
  const course: Course = [];
  const deltas: unknown[] = [];
  for await (const chunk of chunksOf(response.body)) {
    deltas.push(...chunk.deltas);
    if (chunk.tokens > 0) course.push({ ms: processorMs(), tokens: chunk.tokens });
  }
  return { course, deltas: textOf(deltas) };
}

/** Tokens of all answers in a second, from when the last one begins until the first one ends. */
function speedOf(courses: readonly Course[]): number {
  const begin = Math.max(...courses.map((course) => course[0]?.ms ?? NaN));
  const end = Math.min(...courses.map((course) => course.at(-1)?.ms ?? NaN));
  const tokensAt = (course: Course, ms: number) =>
    course.findLast((at) => at.ms <= ms)?.tokens ?? 0;
  const tokens = courses.map((course) => tokensAt(course, end) - tokensAt(course, begin));
  return tokens.reduce((sum, each) => sum + each) / ((end - begin) / 1000);
}

const ratios: number[] = [];
let speeds = { one: 0, four: 0 };
for (let round = 0; round <= ROUNDS; round++) {
  const alone = [];
  for (const request of FOUR) alone.push(await write(request));
  const together = await Promise.all(FOUR.map(write));
  for (const [index, { deltas }] of together.entries()) {
    // In the first round, only the chats alone read their prompts; others find them in KV caches, which changes digits.
    if (round > 0 && deltas !== alone[index]?.deltas) {
      throw new Error(`The answers differ:\n${deltas}\n${alone[index]?.deltas}`);
    }
  }
  const one = median(alone.map(({ course }) => speedOf([course])));
  speeds = { one, four: speedOf(together.map(({ course }) => course)) };
  if (round > 0) ratios.push(speeds.four / speeds.one);
}
console.log(JSON.stringify({ ratio: median(ratios), ...speeds }));
