import { expect, test } from 'vitest';
import { OutputParser } from '../../../../../src/engine/conversation/answer/output-parser.ts';
import { KNOWN_FORMATS } from '../../../../../src/engine/conversation/tools/format/known-formats.ts';
import { CallParser } from '../../../../../src/engine/conversation/tools/call-parser.ts';
import { KNOWN_THINKING } from '../../../../../src/engine/conversation/thinking/known-thinking.ts';
import { HERMES } from '../../../../../src/engine/conversation/tools/format/call-format.ts';

const HARMONY = KNOWN_THINKING.find(({ sign }) => sign.startsWith('<|channel|>'));

test('harmony’s answer without a thought is text alone', () => {
  const parser = new OutputParser({ stop: [], ...HARMONY });
  const events = [...parser.push('<|channel|>final<|message|>Yes.'), ...parser.flush(false)];
  expect(events).toMatchObject([{ type: 'text', text: 'Yes.' }]);
});

test('harmony’s thought, text and call are apart, wherever they are cut', () => {
  const known = KNOWN_FORMATS.find(({ sign }) => sign.startsWith('# Valid channels'));
  const output =
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant' +
    '<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant' +
    '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}';
  for (let cut = 0; cut <= output.length; cut++) {
    const calls = new CallParser(known?.format ?? HERMES, [{ name: 'f', parameters: {} }]);
    const parser = new OutputParser({ stop: [], calls, ...HARMONY });
    const pieces = [output.slice(0, cut), output.slice(cut)];
    const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)];
    const textOf = (type: 'reasoning' | 'text' | 'tool-arguments') =>
      events.map((event) => (event.type === type ? event.text : '')).join('');
    expect([textOf('reasoning'), textOf('text'), textOf('tool-arguments')]).toEqual([
      ...['Hm.', 'Let me see.', '{"a": 1}'],
    ]);
  }
});

const MARKS = { open: '<think>', close: '</think>' };

test('thinking is counted token by token, its marks included', () => {
  const parser = new OutputParser({ stop: [], marks: MARKS });
  for (const token of ['<think>', '\n', 'Hm', '.', '\n', '</think>', '\n\n', 'Yes', '.']) {
    parser.push(token);
  }
  parser.flush(false);
  expect(parser.usage.reasoningTokens).toBe(6);
});

test('an answer may begin within a thought', () => {
  const parser = new OutputParser({ stop: [], marks: MARKS, thinking: 'opened' });
  const events = [...parser.push('Hm.\n</think>\n\nYes.'), ...parser.flush(false)];
  expect(events).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Yes.', end: 18 },
  ]);
});

test('a model that does not think has no count of reasoning tokens, rather than 0', () => {
  const parser = new OutputParser({ stop: [] });
  expect(parser.push('<think>Hm.')).toEqual([{ type: 'text', text: '<think>Hm.', end: 10 }]);
  expect(parser.usage).toEqual({});
});

test('a stop string ends the output, and text that was held back for one is not lost', () => {
  const stopped = new OutputParser({ stop: ['END'] });
  expect(stopped.push('one EN')).toEqual([{ type: 'text', text: 'one ', end: 4 }]);
  expect(stopped.push('D two')).toEqual([]);
  expect(stopped.stopped).toBe(true);
  expect(stopped.end('length')).toEqual({ reason: 'stop', stop: 'END' });
  const ended = new OutputParser({ stop: ['END'] });
  expect([...ended.push('one EN'), ...ended.flush(false)]).toEqual([
    { type: 'text', text: 'one ', end: 4 },
    { type: 'text', text: 'EN', end: 6 },
  ]);
  expect(ended.stopped).toBe(false);
});

test('calls are counted, and stop strings are searched only in the text around them', () => {
  const call = '<tool_call>\n{"name": "f", "arguments": {"a": "END"}}\n</tool_call>';
  const other = call.replace('END', 'AND');
  const output = `<think>Hm.</think>\n\nOne EN\n${call}\n${other}`;
  const parser = new OutputParser({
    stop: ['END', '\n'],
    marks: MARKS,
    calls: new CallParser(HERMES, [{ name: 'f', parameters: {} }]),
  });
  const events = output.split('').flatMap((char) => parser.push(char));
  events.push(...parser.flush(false));
  const texts = events.flatMap((event) => (event.type === 'text' ? event : []));
  expect(texts.map(({ text }) => text).join('')).toBe('One EN');
  for (const { text, end } of texts) expect(output.slice(end - text.length, end)).toBe(text);
  expect(events.filter(({ type }) => type === 'tool-call')).toMatchObject([
    { index: 0, name: 'f' },
    { index: 1, name: 'f' },
  ]);
  expect(parser.end('stop')).toEqual({ reason: 'tool_calls' });
  expect(parser.end('length')).toEqual({ reason: 'length' });
});

test('stop strings are searched after min_tokens, and never in thinking', () => {
  const parser = new OutputParser({ stop: ['a'], minTokens: 5, marks: MARKS });
  const tokens = ['<think>', 'a', '</think>', 'ban', 'a', 'n', 'a', 's'];
  const events = tokens.flatMap((token) => parser.push(token));
  expect(events).toEqual([
    { type: 'reasoning', text: 'a' },
    { type: 'text', text: 'ban', end: 19 },
    { type: 'text', text: 'a', end: 20 },
    { type: 'text', text: 'n', end: 21 },
  ]);
  expect(parser.end('length')).toEqual({ reason: 'stop', stop: 'a' });
});

test('a closing mark without a thought is no text, wherever the output is cut', () => {
  const output = 'It is so.\n</think>\n\nParis, </thin.';
  for (let cut = 0; cut <= output.length; cut++) {
    const parser = new OutputParser({ stop: ['so.Paris'], marks: MARKS });
    const pieces = [output.slice(0, cut), output.slice(cut)];
    const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)];
    const texts = events.flatMap((event) => (event.type === 'text' ? event : []));
    expect(texts.map(({ text }) => text).join('')).toBe('It is so.\nParis, </thin.');
    for (const { text, end } of texts) expect(output.slice(end - text.length, end)).toBe(text);
  }
});

test('in harmony, thoughts may stand between texts, wherever they are cut', () => {
  const output =
    '<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant' +
    '<|channel|>analysis<|message|>Hm <|channel|>.<|end|><|start|>assistant<|channel|>final<|message|>Yes.';
  for (let cut = 0; cut <= output.length; cut++) {
    const parser = new OutputParser({ stop: [], ...HARMONY });
    const pieces = [output.slice(0, cut), output.slice(cut)];
    const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)];
    const textOf = (type: 'reasoning' | 'text') =>
      events.map((event) => (event.type === type ? event.text : '')).join('');
    expect([textOf('reasoning'), textOf('text')]).toEqual(['Hm <|channel|>.', 'Let me see.Yes.']);
    for (const event of events) {
      if (event.type !== 'text') continue;
      expect(output.slice(event.end - event.text.length, event.end)).toBe(event.text);
    }
  }
});

test('a control token of a mark is no text alone either, wherever it is cut', () => {
  const controls = ['<|start|>', '<|channel|>', '<|message|>', '<|end|>'];
  const output =
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>user<|message|>So.<|end|><|start|>assistant' +
    '<|channel|>final<|message|>Well<|message|>, yes<|end|>.<|channel|>';
  for (let cut = 0; cut <= output.length; cut++) {
    const parser = new OutputParser({ stop: [], controls, ...HARMONY });
    const pieces = [output.slice(0, cut), output.slice(cut)];
    const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)];
    const textOf = (type: 'reasoning' | 'text') =>
      events.map((event) => (event.type === type ? event.text : '')).join('');
    expect([textOf('reasoning'), textOf('text')]).toEqual(['Hm.userSo.', 'Well, yes.']);
    for (const event of events) {
      if (event.type !== 'text') continue;
      expect(output.slice(event.end - event.text.length, event.end)).toBe(event.text);
    }
  }
});

test('a recipient before a text is left out at its beginning only, wherever it is cut', () => {
  const answer = { begin: 'all\n', around: [] };
  for (const [output, said] of [
    ['all\nIs that all\n?', 'Is that all\n?'],
    ['all in all', 'all in all'],
    ['al', 'al'],
    ['all', ''],
    ['all\n', ''],
    [' all\nYes', 'Yes'],
    [' Yes', ' Yes'],
  ] as const) {
    for (let cut = 0; cut <= output.length; cut++) {
      const parser = new OutputParser({ stop: [], answer });
      const pieces = [output.slice(0, cut), output.slice(cut)];
      const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)];
      const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
      expect(text, `${output} cut at ${cut}`).toBe(said);
    }
  }
});
