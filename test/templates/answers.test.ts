import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tool } from '../../src/core/operations/jobs/jobs.ts';
import { OutputParser } from '../../src/engine/conversation/answer/output-parser.ts';
import { outputConstraint } from '../../src/engine/conversation/constraint/output-constraint.ts';
import { callGrammar } from '../../src/engine/conversation/tools/call-grammar.ts';
import { CallParser } from '../../src/engine/conversation/tools/call-parser.ts';
import { writeCalls } from '../../src/engine/conversation/tools/format/call-format.ts';
import { thinkingOptions } from '../../src/engine/conversation/thinking/thinking-options.ts';
import { CompiledGrammar } from '../unit/core/grammar/support/grammar-engine.ts';
import { packageTemplates, type PackageTemplate } from './support/package-templates.ts';

const TOOLS: Tool[] = [
  { name: 'get_time', parameters: { type: 'object', properties: { zone: { type: 'string' } } } },
];
const CALL = { name: 'get_time', json: '{"zone": "CET"}' };
const THOUGHT = 'They ask <b>\n\nfor [the time].';
const TEXT = 'Let me see.';

const templates = packageTemplates();
const thinking = templates.filter((template) => template.thinking);

/** Parts of an answer, as the model writes them. */
function written({ thinking: thinks, answer, callFormat }: PackageTemplate) {
  const { open = '', close = '' } = thinks?.written ?? {};
  const [, end = ''] = answer.around;
  return {
    thought: thinks ? open + THOUGHT + close : '',
    text: answer.begin + TEXT + end,
    call: writeCalls(callFormat, [CALL]),
  };
}

function parsed({ thinking: thinks, answer, callFormat }: PackageTemplate, pieces: string[]) {
  const calls = new CallParser(callFormat, TOOLS);
  const parser = new OutputParser({ stop: [], marks: thinks?.marks, answer, calls });
  const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)];
  const textOf = (type: 'reasoning' | 'text' | 'tool-arguments') =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  const called = events.flatMap((event) => (event.type === 'tool-call' ? event.name : []));
  const json = textOf('tool-arguments');
  return {
    thought: textOf('reasoning'),
    text: textOf('text'),
    calls: called.map((name): unknown => [name, JSON.parse(json)]),
  };
}

describe.each(templates)('an answer as $name writes it', (template) => {
  const { thought, text, call } = written(template);
  const thoughts = template.thinking ? THOUGHT : '';
  const calls = [[CALL.name, JSON.parse(CALL.json)]];

  test.each([
    ['a thought and a text', thought + text, { thought: thoughts, text: TEXT, calls: [] }],
    ['a thought and a call', thought + call, { thought: thoughts, text: '', calls }],
  ])('%s are parsed, wherever they are cut', (_, output, expected) => {
    for (let at = 0; at <= output.length; at++) {
      const pieces = [output.slice(0, at), output.slice(at)];
      expect(parsed(template, pieces), `cut at ${at}`).toEqual(expected);
    }
    fc.assert(
      fc.property(fc.array(fc.nat(output.length), { maxLength: 20 }), (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), output.length];
        const pieces = cuts.slice(1).map((end, index) => output.slice(cuts[index], end));
        expect(parsed(template, pieces)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe.each(thinking)('thinking of $name', (template) => {
  const { own, callFormat, thinking: thinks } = template;
  const prompt = (wants: boolean) =>
    own([{ role: 'user', content: 'Hi' }], thinkingOptions({ enable_thinking: wants }, thinks));

  test('is switched by what a request says, or by nothing', () => {
    expect(prompt(true) === prompt(false)).toBe(thinks?.toggle === undefined);
  });

  test('may stand before calls that are held to their grammar', async () => {
    if (!thinks) return;
    const { marks } = thinks;
    const offer = { tools: TOOLS, choice: 'required' as const, parallel: true };
    const constraint = outputConstraint(callGrammar(offer, callFormat) ?? '', {
      marks,
      opened: false,
    });
    if (constraint.type === 'grammar') throw new Error('There is no tag.');
    const grammar = await CompiledGrammar.compileTag(constraint.structural_tag);
    const call = writeCalls(callFormat, [CALL]);
    expect(grammar.accepts(`${marks.open}${THOUGHT}${marks.close}${call}`)).toBe(true);
    expect(grammar.accepts(call)).toBe(true);
    expect(grammar.accepts(`${marks.open}${THOUGHT}${marks.close}${TEXT}`)).toBe(false);
    grammar.dispose();
  });
});
