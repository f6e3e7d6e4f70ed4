import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutputParser } from '../../../../../src/engine/conversation/answer/output-parser.ts';
import { chatTemplate } from '../../../../../src/engine/conversation/prompt/chat-template.ts';
import { readThinking } from '../../../../../src/engine/conversation/thinking/read-thinking.ts';
import { templateFeatures } from '../../../../../src/engine/conversation/thinking/template-features.ts';
import {
  isOn,
  thinkingOptions,
} from '../../../../../src/engine/conversation/thinking/thinking-options.ts';
import { FACTS } from '../../text/tools/known-call-formats.ts';
import { THINKING_TEMPLATES } from './thinking-templates.ts';

type Name = keyof typeof THINKING_TEMPLATES;

const NAMES = Object.keys(THINKING_TEMPLATES) as Name[];

function read(name: Name) {
  const source = THINKING_TEMPLATES[name];
  return readThinking(chatTemplate(source, FACTS), source);
}

describe('a template shows how its model thinks:', () => {
  test.each<[Name, open: string, close: string, kind: string]>([
    ['history', '<think>\n', '\n</think>\n\n', 'reasoning_on_by_default'],
    ['calls', '<seed:think>', '</seed:think>', 'reasoning_on_by_default'],
    ['always', '<think>', '</think>', 'reasoning_off_by_default'],
    ['prompts', '<think>', '</think>', 'reasoning_off_by_default'],
    ['cuts', '<think>\n', '\n</think>\n\n', 'reasoning_always'],
    ['onlyCuts', '[THINK]\n', '\n[/THINK]\n\n', 'reasoning_always'],
    ['told', '<think>\n', '\n</think>\n\n', 'reasoning_always'],
    ['parts', '[THINK]', '[/THINK]', 'reasoning_always'],
    ['marked', '<|START_THINKING|>', '<|END_THINKING|>', 'reasoning_on_by_default'],
    ['channels', ' to=self<|message|>', '<|eom|><|assistant|>', 'reasoning_always'],
    ['turns', '<|think|>', '<|end|><|assistant|>', 'reasoning_always'],
    ['word', '<|channel>thought\n', '\n<channel|>', 'reasoning_off_by_default'],
    ['efforts', '<think:x>', '</think:x>', 'reasoning_off_by_default'],
    ['choice', '<think>\n', '\n</think>\n\n', 'reasoning_by_choice'],
  ])('%s', (name, open, close, kind) => {
    const { thinking } = read(name);
    expect(thinking?.written).toEqual({ open, close });
    expect(thinking?.marks).toEqual({ open: open.trim(), close: close.trim() });
    expect(templateFeatures(THINKING_TEMPLATES[name]).slice(0, 2)).toEqual(['reasoning', kind]);
  });

  test.each<Name>(['plain', 'recipient', 'never'])('%s does not', (name) => {
    expect(templateFeatures(THINKING_TEMPLATES[name])).toEqual([]);
  });

  test('one that is missing or cannot be used shows nothing', () => {
    expect(templateFeatures(undefined)).toEqual([]);
    expect(templateFeatures('{% if %}<think></think>')).toEqual([]);
    expect(templateFeatures('{{ raise_exception("no") }}<think></think>')).toEqual([]);
  });
});

test('a template shows what a model writes around an answer’s text', () => {
  expect(read('marked').answer).toEqual({
    begin: '<|START_TEXT|>',
    around: ['<|START_TEXT|>', '<|END_TEXT|>'],
  });
  expect(read('channels').answer.begin).toBe(' to=user<|message|>');
  expect(read('recipient').answer).toEqual({ begin: 'all\n', around: [] });
  expect(read('always').answer).toEqual({ begin: '', around: [] });
});

describe('what a request says of thinking is said in the template’s words:', () => {
  const NONE = { enable_thinking: false, reasoning_effort: 'none' };
  const MEDIUM = { enable_thinking: true, reasoning_effort: 'medium' };

  test.each<[Name, asked: Record<string, unknown>, told: Record<string, unknown>, isOn: boolean]>([
    ['history', {}, {}, true],
    ['history', NONE, NONE, false],
    ['always', {}, {}, false],
    ['always', MEDIUM, { ...MEDIUM, thinking: true }, true],
    ['always', { ...MEDIUM, thinking: false }, { ...MEDIUM, thinking: false }, false],
    ['marked', NONE, { ...NONE, reasoning: false }, false],
    ['calls', NONE, { ...NONE, thinking_budget: 0 }, false],
    ['calls', MEDIUM, { ...MEDIUM, thinking_budget: -1 }, true],
    ['efforts', {}, {}, false],
    ['efforts', NONE, { enable_thinking: false, reasoning_effort: 'no_think' }, false],
    ['efforts', MEDIUM, { enable_thinking: true, reasoning_effort: 'high' }, true],
    ['efforts', { reasoning_effort: 'minimal' }, { reasoning_effort: 'low' }, true],
    [
      'efforts',
      { enable_thinking: true },
      { enable_thinking: true, reasoning_effort: 'high' },
      true,
    ],
    ['channels', NONE, { ...NONE, reasoning_strength: 'low' }, true],
    [
      'channels',
      { ...MEDIUM, reasoning_strength: 'odd' },
      { ...MEDIUM, reasoning_strength: 'odd' },
      true,
    ],
  ])('%s: %j → %j', (name, asked, told, on) => {
    const { thinking } = read(name);
    const options = thinkingOptions(asked, thinking);
    expect(options).toEqual(told);
    expect(thinking && isOn(options, thinking)).toBe(on);
  });

  test('a budget in tokens, if the template takes one', () => {
    expect(thinkingOptions({}, read('calls').thinking, 64)).toEqual({ thinking_budget: 64 });
    expect(thinkingOptions({}, read('history').thinking, 64)).toEqual({});
    expect(thinkingOptions({ a: 1 }, read('plain').thinking, 64)).toEqual({ a: 1 });
  });
});

describe('a thought and a text, as the template writes them, are read apart,', () => {
  const written = (name: Name) => {
    const { thinking, answer } = read(name);
    const { open = '', close = '' } = thinking?.written ?? {};
    const [, end = ''] = answer.around;
    return { output: `${open}Hm <b>.${close}${answer.begin}Yes, I [see].${end}`, thinking, answer };
  };
  const parsed = (name: Name, pieces: readonly string[]) => {
    const { thinking, answer } = written(name);
    const parser = new OutputParser({ stop: [], marks: thinking?.marks, answer });
    const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)];
    const textOf = (type: 'reasoning' | 'text') =>
      events.map((event) => (event.type === type ? event.text : '')).join('');
    return [textOf('reasoning'), textOf('text')];
  };

  test.each(NAMES.filter((name) => read(name).thinking))('%s', (name) => {
    const { output } = written(name);
    const expected = ['Hm <b>.', 'Yes, I [see].'];
    for (let cut = 0; cut <= output.length; cut++) {
      expect(parsed(name, [output.slice(0, cut), output.slice(cut)]), `cut at ${cut}`).toEqual(
        expected,
      );
    }
    fc.assert(
      fc.property(fc.array(fc.nat(output.length), { maxLength: 12 }), (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), output.length];
        const pieces = cuts.slice(1).map((end, index) => output.slice(cuts[index], end));
        expect(parsed(name, pieces)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
