import { expect, test } from 'vitest';
import { OutputParser } from '../../../../../src/engine/conversation/answer/output-parser.ts';
import { CallParser } from '../../../../../src/engine/conversation/tools/call-parser.ts';
import { CALL_FAMILIES } from '../../../../../src/engine/conversation/tools/call-syntax.ts';

const MARKS = { open: '<think>', close: '</think>' };

test('thinking is counted token by token, its marks included', () => {
  const parser = new OutputParser([], MARKS, '<|im_start|>assistant\n');
  for (const token of ['<think>', '\n', 'Hm', '.', '\n', '</think>', '\n\n', 'Yes', '.']) {
    parser.push(token);
  }
  parser.flush(false);
  expect(parser.usage.reasoningTokens).toBe(6);
});

test('a prompt that opens the thinking is recognised', () => {
  const parser = new OutputParser([], MARKS, '<|im_start|>assistant\n<think>\n');
  const events = [...parser.push('Hm.\n</think>\n\nYes.'), ...parser.flush(false)];
  expect(events).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Yes.', end: 18 },
  ]);
});

test('a model that does not think has no count of reasoning tokens, rather than 0', () => {
  const parser = new OutputParser([], undefined, '');
  expect(parser.push('<think>Hm.')).toEqual([{ type: 'text', text: '<think>Hm.', end: 10 }]);
  expect(parser.usage).toEqual({});
});

test('a stop string ends the output, and text that was held back for one is not lost', () => {
  const stopped = new OutputParser(['END'], undefined, '');
  expect(stopped.push('one EN')).toEqual([{ type: 'text', text: 'one ', end: 4 }]);
  expect(stopped.push('D two')).toEqual([]);
  expect(stopped.stopped).toBe(true);
  expect(stopped.end('length')).toEqual({ reason: 'stop', stop: 'END' });
  const ended = new OutputParser(['END'], undefined, '');
  expect([...ended.push('one EN'), ...ended.flush(false)]).toEqual([
    { type: 'text', text: 'one ', end: 4 },
    { type: 'text', text: 'EN', end: 6 },
  ]);
  expect(ended.stopped).toBe(false);
});

test('calls are counted, and stop strings are searched only in the text around them', () => {
  const call = '<tool_call>\n{"name": "f", "arguments": {"a": "END"}}\n</tool_call>';
  const output = `<think>Hm.</think>\n\nOne EN\n${call}\n${call}`;
  const parser = new OutputParser(
    ['END', '\n'],
    MARKS,
    '',
    new CallParser(CALL_FAMILIES.hermes, ['f']),
  );
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
