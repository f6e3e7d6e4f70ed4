import { describe, expect, test, vi } from 'vitest';
import type { GenerateEvent } from '../../../../src/core/operations/events/events.ts';
import type { Tool, ToolOffer } from '../../../../src/core/operations/jobs/jobs.ts';
import { textsOf } from '../../../../src/engine/conversation/tools/format/call-format.ts';
import { toolUse } from '../../../../src/engine/conversation/tools/tool-use.ts';
import { chatJob, openEngine } from '../../support/servers/engine-site.ts';
import { answering, end, FakeMlcEngine, token } from '../../support/fakes/fake-mlc-engine.ts';
import { FAMILY_FORMATS } from '../text/tools/known-call-formats.ts';
import { NEVER } from '../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };
const WEATHER: Tool = {
  name: 'get_weather',
  parameters: PARAMETERS,
};
const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city":"Bern"}}\n</tool_call>';
/** The call, cut as a tokenizer might cut it. */
const TOKENS = CALL.match(/\w+|\W/g) ?? [];

const mlc = () => FakeMlcEngine.last;

function job(offer: Partial<ToolOffer> = {}, rest = {}) {
  const tools: ToolOffer = { tools: [WEATHER], choice: 'auto', parallel: true, ...offer };
  return { ...chatJob('a', 'Weather in Bern?'), tools, ...rest };
}

async function eventsOf(events: AsyncIterable<GenerateEvent>): Promise<GenerateEvent[]> {
  const all: GenerateEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('a model without tools of its own', () => {
  test('gets them in the prompt and as a grammar, and its call is parsed while it streams', async () => {
    const { engine } = await openEngine();
    mlc().generate = answering('Let me ', 'see.', '\n', ...TOKENS);
    const events = await eventsOf(engine.run(job(), NEVER));
    const [request] = mlc().requests;
    expect(request?.messages[0]?.content).toContain('"name":"get_weather"');
    expect(request?.response_format).toMatchObject({
      type: 'grammar',
      grammar: expect.stringMatching(/^root ::= TagDispatch/),
    });
    const kinds = events.map(({ type }) => type);
    expect([...new Set(kinds)]).toEqual([
      ...['start', 'text', 'tool-call', 'tool-arguments', 'finish'],
    ]);
    expect(events.find(({ type }) => type === 'tool-call')).toEqual({
      type: 'tool-call',
      index: 0,
      name: 'get_weather',
      id: expect.stringMatching(/^call_[0-9A-Za-z]{24}$/),
    });
    const pieces = events.flatMap((event) => (event.type === 'tool-arguments' ? event.text : []));
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe('{"city":"Bern"}');
    expect(events.at(-1)).toMatchObject({ reason: 'tool_calls' });
  });

  test('gets the result after what its KV cache holds', async () => {
    const { engine } = await openEngine();
    mlc().generate = answering(CALL);
    const asked = job();
    await eventsOf(engine.run(asked, NEVER));
    if (asked.prompt.kind !== 'chat') throw new Error('No chat.');
    const messages = [
      ...asked.prompt.messages,
      {
        role: 'assistant' as const,
        content: '',
        toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Bern"}' }],
      },
      { role: 'tool' as const, content: 'sunny', toolCallId: 'call_1' },
    ];
    const events = await eventsOf(
      engine.run({ ...asked, prompt: { ...asked.prompt, messages } }, NEVER),
    );
    expect(mlc().requests.at(-1)?.messages).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ usage: { cachedTokens: 8 } });
  });

  test('whose call is cut by max_tokens ends with length', async () => {
    const { engine } = await openEngine();
    mlc().generate = async function* () {
      for (const piece of TOKENS.slice(0, -12)) yield token(piece);
      yield* end('length', 7, 20);
    };
    const events = await eventsOf(engine.run(job(), NEVER));
    expect(events.some(({ type }) => type === 'tool-call')).toBe(true);
    expect(events.at(-1)).toMatchObject({ reason: 'length' });
  });

  test('may answer in text', async () => {
    const { engine } = await openEngine();
    mlc().generate = answering('I cannot ', 'know <that>.');
    const events = await eventsOf(engine.run(job(), NEVER));
    expect(events.filter(({ type }) => type === 'tool-call')).toEqual([]);
    expect(events.at(-1)).toMatchObject({ reason: 'stop' });
  });

  test('looks for stop strings in the text, not in calls', async () => {
    const { engine } = await openEngine();
    mlc().generate = answering('Well.', ...TOKENS);
    const events = await eventsOf(engine.run(job({}, { stop: ['\n', 'tool', '"'] }), NEVER));
    expect(events.at(-1)).toMatchObject({ reason: 'tool_calls' });
    mlc().generate = answering('One', '\n', ...TOKENS);
    const stopped = await eventsOf(engine.run(job({}, { stop: ['n'] }), NEVER));
    expect(stopped.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual([
      ...['start', 'O', 'finish'],
    ]);
    expect(stopped.at(-1)).toMatchObject({ reason: 'stop' });
  });

  test('gets no tools in the prompt if it may not call any', async () => {
    const { engine } = await openEngine();
    await eventsOf(engine.run(job({ choice: 'none' }), NEVER));
    const [request] = mlc().requests;
    expect(request?.messages[0]?.content).not.toContain('get_weather');
    expect(request).not.toHaveProperty('response_format');
  });
});

test('control tokens may be marks of calls, except where the grammar has no place for them', () => {
  expect(textsOf(FAMILY_FORMATS.mistral).join('')).toContain('[TOOL_CALLS]');
  expect(textsOf(FAMILY_FORMATS.mistralArgs).join('')).toBe('[TOOL_CALLS][ARGS]');
  expect(textsOf(FAMILY_FORMATS.llama)).not.toContain('<|python_tag|>');
});

test('a mark that is a token is never sampled if nothing may be called', () => {
  const tokenIds = new Map([['<tool_call>', 9]]);
  const mute = job({ choice: 'none' }, { sampling: { logitBias: { 5: 1 } } });
  expect(toolUse(mute, FAMILY_FORMATS.hermes, tokenIds)).toEqual({
    grammar: undefined,
    newParser: undefined,
    sampling: { logitBias: { 5: 1, 9: -100 } },
  });
  expect(toolUse(mute, FAMILY_FORMATS.llama, tokenIds).sampling).toEqual({ logitBias: { 5: 1 } });
  const shared = { ...FAMILY_FORMATS.hermes, sharesMark: true };
  expect(toolUse(mute, shared, tokenIds).sampling).toEqual({ logitBias: { 5: 1 } });
});

test('a mark before answers stands before JSON as well, and not before calls', () => {
  const asked = job({}, { format: { type: 'json_object' } });
  const { grammar = '' } = toolUse(asked, FAMILY_FORMATS.hermes, new Map(), '<|final|>');
  expect(grammar).toMatch(/^root ::= calls \| answer_root\n/);
  expect(grammar).toContain('answer_root ::= "<|final|>" answer_text_root\n');
  const { tools: _, ...untold } = asked;
  const raw = { ...untold, prompt: { kind: 'raw' as const, text: 'Hi' } };
  const { grammar: plain } = toolUse(raw, FAMILY_FORMATS.hermes, new Map(), '<|final|>');
  expect(plain).not.toContain('<|final|>');
});
