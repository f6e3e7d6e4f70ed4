import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tool } from '../../../../../src/core/operations/jobs/jobs.ts';
import { OutputParser } from '../../../../../src/engine/conversation/answer/output-parser.ts';
import { readCalls } from '../../text/tools/read-calls.ts';
import { CallParser } from '../../../../../src/engine/conversation/tools/call-parser.ts';
import {
  HERMES,
  writeCalls,
  type CallFormat,
} from '../../../../../src/engine/conversation/tools/format/call-format.ts';

const TOOLS: Tool[] = ['f', 'g'].map((name) => ({ name, parameters: { type: 'object' } }));
const NEW_ID = /^call_\w{24}$/;

/** Kimi's: the id is made of the name and a number. */
const COUNTED: CallFormat = {
  begin: '<|calls|>',
  end: '<|done|>',
  separator: '',
  head: ['<|call|>functions.', { is: 'name' }, ':', { is: 'index', first: 0 }, '<|argument|>'],
  arguments: { kind: 'json' },
  tail: ['<|end|>'],
};

/** Mistral's: the model invents an id. */
const INVENTED: CallFormat = {
  begin: '',
  end: '',
  separator: '',
  head: ['[TOOL_CALLS]', { is: 'name' }, '[CALL_ID]', { is: 'id' }, '[ARGS]'],
  arguments: { kind: 'json' },
  tail: [],
};

interface Called {
  name: string;
  json: string;
  id: string;
}

function read(
  format: CallFormat,
  pieces: readonly string[],
  isCut = false,
  callIds: string[] = [],
): { calls: Called[]; reason: string } {
  const parser = new OutputParser({ stop: [], calls: new CallParser(format, TOOLS), callIds });
  const calls: Called[] = [];
  for (const event of [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(isCut)]) {
    if (event.type === 'tool-call') {
      expect(event.index).toBe(calls.length);
      calls.push({ name: event.name, json: '', id: event.id });
    }
    const call = event.type === 'tool-arguments' ? calls[event.index] : undefined;
    if (event.type === 'tool-arguments' && call) call.json += event.text;
  }
  return { calls, reason: parser.end('stop').reason };
}

const told = ({ calls }: { calls: Called[] }) => calls.map(({ name, json }) => `${name}${json}`);

test('a call that repeats an earlier one of the turn exactly is left out, wherever it is cut', () => {
  const call = fc.record({
    name: fc.constantFrom('f', 'g'),
    json: fc.constantFrom('{}', '{"a": 1}', '{"a": 12}', '{"a": "x"}', '{"a": 1, "b": 2}'),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), fc.array(fc.nat(400)), (calls, places) => {
      const output = writeCalls(HERMES, calls);
      const cuts = [
        0,
        ...places.filter((at) => at < output.length).sort((a, b) => a - b),
        output.length,
      ];
      const pieces = cuts.slice(1).map((end, index) => output.slice(cuts[index], end));
      const once = new Set(calls.map(({ name, json }) => `${name}${json}`));
      const answer = read(HERMES, pieces);
      expect(told(answer)).toEqual([...once]);
      expect(answer.reason).toBe(calls.length > 0 ? 'tool_calls' : 'stop');
      expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(once.size);
    }),
    { numRuns: 300 },
  );
});

test('a call that was cut while it could still become a repeat is told as far as it came', () => {
  const output = writeCalls(HERMES, [
    { name: 'f', json: '{"a": 12}' },
    { name: 'f', json: '{"a": 12}' },
  ]);
  const cut = output.slice(0, output.lastIndexOf('2'));
  expect(told(read(HERMES, [cut], true))).toEqual(['f{"a": 12}', 'f{"a": 1']);
});

test('an id that the model writes is kept if no other call has it', () => {
  const ids = (format: CallFormat, output: string, past: string[] = []) =>
    read(format, output.split(''), false, past).calls.map(({ id }) => id);
  const two = [
    { name: 'f', json: '{"a": 1}' },
    { name: 'g', json: '{"b:7": "f:3"}' },
  ];
  const counted = writeCalls(COUNTED, two);
  expect(ids(COUNTED, counted)).toEqual(['functions.f:0', 'functions.g:1']);
  expect(ids(COUNTED, counted, ['functions.f:0'])).toEqual([
    expect.stringMatching(NEW_ID),
    'functions.g:1',
  ]);
  const invented = '[TOOL_CALLS]f[CALL_ID]abc123XYZ[ARGS]{"a": 1}';
  const again = invented.replace('"a": 1', '"a": 2');
  expect(ids(INVENTED, invented + again)).toEqual(['abc123XYZ', expect.stringMatching(NEW_ID)]);
  expect(ids(HERMES, writeCalls(HERMES, two))).toEqual([
    expect.stringMatching(NEW_ID),
    expect.stringMatching(NEW_ID),
  ]);
});

test('a mark that closes calls once more is no text', () => {
  const calls = writeCalls(HERMES, [{ name: 'f', json: '{}' }]);
  for (const [output, text] of [
    [`${calls}\n</tool_call>\n</tool_call>`, ''],
    [`${calls}</tool_call>Done.`, 'Done.'],
    [`${calls}\n</tool>`, '\n</tool>'],
    ['A </tool_call> closes.', 'A </tool_call> closes.'],
  ] as const) {
    for (let at = 0; at <= output.length; at++) {
      const pieces = [output.slice(0, at), output.slice(at)];
      expect(readCalls(HERMES, TOOLS, pieces).text, `${output} cut at ${at}`).toBe(text);
    }
  }
  const again = `${calls}</tool_call>\n${writeCalls(HERMES, [{ name: 'g', json: '{}' }])}`;
  expect(told(read(HERMES, again.split('')))).toEqual(['f{}', 'g{}']);
});

test('an id that no client could send back is replaced', () => {
  const output = `[TOOL_CALLS]f[CALL_ID]${'x'.repeat(65)}[ARGS]{}`;
  expect(read(INVENTED, [output]).calls.map(({ id }) => id)).toEqual([
    expect.stringMatching(NEW_ID),
  ]);
});
