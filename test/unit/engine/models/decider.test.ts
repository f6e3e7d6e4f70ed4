import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DecideJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { chatFormat } from '../../../../src/engine/conversation/prompt/chat-format.ts';
import { chatTemplate } from '../../../../src/engine/conversation/prompt/chat-template.ts';
import { JobPrompts } from '../../../../src/engine/conversation/prompt/job-prompts.ts';
import type { Generation, TextModel } from '../../../../src/engine/conversation/text-model.ts';
import { RequestCaching } from '../../../../src/engine/models/request-caching.ts';
import { Decider, Deciding } from '../../../../src/engine/models/decider.ts';
import { NEVER } from '../../support/never.ts';
import { FACTS } from '../text/tools/known-call-formats.ts';
import { THINKING_TEMPLATES } from '../conversation/thinking/thinking-templates.ts';

const END = 0;
const TOKENS = ['<end>', 'Yes', 'No', 'a', 'b'];
/** One question's answer. */
const YES = {
  probabilities: [expect.closeTo(0.75, 12), expect.closeTo(0.25, 12)],
  coverage: 1,
};

/** A model that says yes three times as often as no. */
class YesModel implements Pick<TextModel, 'generate'> {
  readonly prompts: string[] = [];
  readonly generations: Generation[] = [];
  onRead: () => void = () => undefined;

  async generate(...[prompt, generation, signal, emit]: Parameters<TextModel['generate']>) {
    this.prompts.push(prompt);
    this.generations.push(generation);
    this.onRead();
    signal.throwIfAborted();
    const asked = (generation.asked ?? []).map((id) => Math.log(id === 1 ? 0.75 : 0.25));
    const tokens = (generation.forced ?? []).map((id) => ({ id, logprob: 0, top: [], asked }));
    emit({ type: 'text', text: 'x', tokens, count: tokens.length });
    const usage = { promptTokens: 10, cachedTokens: this.prompts.length > 1 ? 6 : 2 };
    emit({ type: 'finish', reason: 'length', usage: { ...usage, completionTokens: 1 } });
  }
}

function open(template: keyof typeof THINKING_TEMPLATES = 'history') {
  const model = new YesModel();
  const facts = { ...FACTS, chatTemplate: THINKING_TEMPLATES[template] };
  const format = chatFormat(chatTemplate(facts.chatTemplate, facts), facts, [END]);
  const chatFacts = {
    format,
    hidden: { withCalls: new Map(), withoutCalls: new Map(), inMarks: [] },
    stopTokenIds: [END],
    contextLength: 1_000,
    vocabularySize: TOKENS.length,
    sampling: { temperature: 0 },
  };
  const encoder = new TextEncoder();
  const decider = new Decider({
    model: model as unknown as TextModel,
    facts: chatFacts,
    prompts: new JobPrompts({ ...chatFacts, sees: false }),
    tokenizer: {
      encode: (text) => Promise.resolve(Array.from(text, (_, at) => at)),
      decode: () => Promise.resolve(''),
      pieces: () => Promise.resolve([]),
    },
    vocabulary: { stripsFirstSpace: false, bytes: (id) => encoder.encode(TOKENS[id]) },
    caching: new RequestCaching(),
  });
  return { model, decider };
}

function jobOf(questions: number, orders: 1 | 2 = 1): DecideJob {
  const instructions = Array.from({ length: questions }, (_, at) => `It is ${at}.`);
  return {
    op: 'decide',
    model: 'a',
    prompt: {
      kind: 'chat',
      messages: ['The input', ...instructions].map((content) => ({ role: 'user', content })),
      templateOptions: {},
    },
    questions: instructions.map(() => ({ type: 'predicate' })),
    orders,
  };
}

const alone = () => new Deciding(() => false);

describe('decisions', () => {
  test('each question is read in each order, after the same beginning', async () => {
    const { model, decider } = open();
    const decided = await decider.decide(jobOf(2, 2), alone(), NEVER);
    expect(model.prompts).toHaveLength(4);
    expect(model.prompts[1]).toContain('No or Yes');
    const [first = ''] = model.prompts;
    const shared = first.slice(0, model.generations[0]?.shared);
    expect(shared).toContain('The input');
    for (const prompt of model.prompts) expect(prompt.startsWith(shared)).toBe(true);
    expect(decided?.decisions).toEqual([YES, YES]);
    // The beginning counts once: 10 tokens, and then 4 new ones each.
    expect(decided?.usage).toEqual({ promptTokens: 22, cachedTokens: 2 });
  });

  test('who leaves ends them before the next question', async () => {
    const { model, decider } = open();
    const leaving = new AbortController();
    model.onRead = () => {
      if (model.prompts.length === 3) leaving.abort(new Error('left'));
    };
    await expect(decider.decide(jobOf(9), alone(), leaving.signal)).rejects.toThrow('left');
    expect(model.prompts).toHaveLength(3);
  });

  test('another turn begins with the next question', async () => {
    const { model, decider } = open();
    const job = jobOf(3);
    const deciding = new Deciding(() => true, 0);
    expect(await decider.decide(job, deciding, NEVER)).toBeUndefined();
    expect(deciding.needsAnother).toBe(true);
    expect(model.prompts).toHaveLength(1);
    expect(await decider.decide(job, deciding, NEVER)).toBeUndefined();
    expect((await decider.decide(job, deciding, NEVER))?.decisions).toEqual([YES, YES, YES]);
    expect(deciding.needsAnother).toBe(false);
    expect(new Set(model.prompts).size).toBe(3);
    expect(model.prompts).toHaveLength(3);
  });

  test('a long input is read in several turns, and then the questions', async () => {
    const { model, decider } = open();
    Object.assign(model, { keepsReading: true });
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    let now = 0;
    clock.mockImplementation(() => now);
    // Each turn reads 400 of 1,000 tokens, and takes two seconds for that.
    let readTokens = 0;
    const answer = model.generate.bind(model);
    model.generate = async (...given) => {
      const [, , signal, emit] = given;
      while (readTokens < 1_000) {
        readTokens += 400;
        now += 2_000;
        emit({ type: 'progress', read: { promptTokens: 1_000, cachedTokens: 0, readTokens } });
        signal.throwIfAborted();
      }
      await answer(...given);
    };
    const job = jobOf(2);
    const deciding = new Deciding(() => true);
    expect(await decider.decide(job, deciding, NEVER)).toBeUndefined();
    expect(deciding.needsAnother).toBe(true);
    expect(readTokens).toBe(400);
    expect(await decider.decide(job, deciding, NEVER)).toBeUndefined();
    expect(readTokens).toBe(800);
    expect(model.prompts).toEqual([]);
    const last = await decider.decide(job, deciding, NEVER);
    expect(last ?? (await decider.decide(job, deciding, NEVER))).toMatchObject({
      decisions: [YES, YES],
    });
    expect(model.prompts).toHaveLength(2);
  });

  test('a model that always thinks has none', async () => {
    const { model, decider } = open('cuts');
    await expect(decider.decide(jobOf(1), alone(), NEVER)).rejects.toMatchObject({
      data: { status: 400, code: 'unsupported_value', param: 'model' },
    });
    expect(model.prompts).toEqual([]);
  });
});
