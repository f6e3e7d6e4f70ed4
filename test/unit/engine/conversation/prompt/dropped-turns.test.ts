import { expect, test } from 'vitest';
import type { GenerateJob, TemplateMessage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { fittingJob } from '../../../../../src/engine/conversation/prompt/dropped-turns.ts';
import { chatJob } from '../../../support/servers/engine-site.ts';

const CONVERSATION: TemplateMessage[] = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'first' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] },
  { role: 'tool', content: 'result', toolCallId: 'c' },
  { role: 'assistant', content: 'one' },
  { role: 'user', content: 'second' },
  { role: 'system', content: 'T' },
  { role: 'assistant', content: 'two' },
  { role: 'user', content: 'third' },
];

/** A token for each message. */
async function left(contextLength: number, change: Partial<GenerateJob> = {}, dropsOldest = true) {
  const base = chatJob('a', 'Hi');
  const prompt = {
    kind: 'chat' as const,
    messages: CONVERSATION,
    templateOptions: {},
    ...(dropsOldest && { dropsOldest }),
  };
  const count = ({ prompt: of }: GenerateJob) => (of.kind === 'chat' ? of.messages.length : 0);
  const isWithin = async (job: GenerateJob, tokens: number) => count(job) <= tokens;
  const { prompt: fitting } = await fittingJob(
    { ...base, prompt, maxTokens: 1, ...change },
    contextLength,
    isWithin,
  );
  return fitting.kind === 'chat' ? fitting.messages.map(({ content }) => content) : [];
}

test('a conversation that fits is left as it is', async () => {
  expect(await left(20)).toHaveLength(9);
});

test('the oldest turn goes first, its calls with their results; system messages stay', async () => {
  expect(await left(8)).toEqual(['S', 'second', 'T', 'two', 'third']);
  expect(await left(5)).toEqual(['S', 'T', 'third']);
});

test('there is room for the answer, but not more than a quarter', async () => {
  expect(await left(11, { maxTokens: 2 })).toHaveLength(9);
  expect(await left(11, { maxTokens: 100 })).toHaveLength(9);
  expect(await left(10, { maxTokens: 2 })).toHaveLength(5);
});

test('the last turn stays, even if it does not fit', async () => {
  expect(await left(1)).toEqual(['S', 'T', 'third']);
});

test('nothing is left out unless the request allows it', async () => {
  expect(await left(2, {}, false)).toHaveLength(9);
});
