import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import type { Tool } from '../../src/core/operations/jobs/jobs.ts';
import {
  writeCalls,
  type WrittenCall,
} from '../../src/engine/conversation/tools/format/call-format.ts';
import { callGrammar } from '../../src/engine/conversation/tools/call-grammar.ts';
import { CompiledGrammar } from '../unit/core/grammar/support/grammar-engine.ts';
import { readCalls } from '../unit/engine/text/tools/read-calls.ts';
import { packageTemplates } from './support/package-templates.ts';
import { renders, templateTable } from './support/template-table.ts';

const TOOLS: Tool[] = [
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        detail: { type: 'boolean' },
        units: { type: 'array', items: { type: 'string' } },
        place: { type: 'object', properties: { country: { type: ['string', 'null'] } } },
      },
    },
  },
  {
    name: 'get_time',
    parameters: { type: 'object', properties: { zone: { enum: ['UTC', 'CET'] } } },
  },
];

const CALLS: WrittenCall[] = [
  {
    name: 'get_weather',
    json: '{"city":"Bern é","days":3,"detail":true,"units":["x","y"],"place":{"country":"CH"}}',
  },
  { name: 'get_time', json: '{"zone":"CET"}' },
];

const templates = packageTemplates();
const natives = templates.filter(({ isNative }) => isNative);

function values({ text, calls }: { text: string; calls: readonly WrittenCall[] }) {
  return [text, calls.map(({ name, json }): unknown => [name, JSON.parse(json)])];
}

test('every template renders, and all that know tools are spoken to in their own form', () => {
  expect(templates).toHaveLength(70);
  expect(templates.filter((template) => !renders(template)).map(({ name }) => name)).toEqual([]);
  const others = templates.filter(({ isNative, knowsTools }) => knowsTools && !isNative);
  expect(others.map(({ name }) => name)).toEqual([]);
  expect(natives).toHaveLength(63);
});

describe.each(natives)('calls as $name writes them', ({ callFormat }) => {
  const calls = callFormat.separator === undefined ? CALLS.slice(0, 1) : CALLS;
  const written = writeCalls(callFormat, calls);

  test('are parsed, wherever they are cut', () => {
    const expected = values({ text: '', calls });
    for (let at = 0; at < written.length; at++) {
      const pieces = [written.slice(0, at), written.slice(at)];
      expect(values(readCalls(callFormat, TOOLS, pieces)), `cut at ${at}`).toEqual(expected);
    }
    expect(values(readCalls(callFormat, TOOLS, written.split('')))).toEqual(expected);
    expect(readCalls(callFormat, TOOLS, [`Let me see. ${written}`]).text).toBe('Let me see.');
  });

  test.each(['auto', 'required'] as const)('fit their grammar with %s', async (choice) => {
    const offer = { tools: TOOLS, choice, parallel: true };
    const grammar = await CompiledGrammar.compile(callGrammar(offer, callFormat) ?? '');
    expect(grammar.accepts(written)).toBe(true);
    expect(grammar.accepts(`Well, <b>[1]. ${written}`)).toBe(choice === 'auto');
    expect(grammar.accepts(written.replace('get_time', 'get_tide'))).toBe(calls.length === 1);
    grammar.dispose();
  });
});

test('the table in the documentation says what was read from each template', async () => {
  const path = new URL('../../docs/chat-templates.md', import.meta.url).pathname;
  const page = `# Chat templates

What is read from the ${templates.length} chat templates in llama.cpp's source. \`npm run test:templates\` compares this page with them; with \`-- -u\` it writes the page.

- _system_: whether the template takes a system message; otherwise its text becomes a part of the user's.
- _call_: how the model calls a function \`f\` with the argument \`city\`, which our grammar, parser and prompts follow. ⏎ is a line break. A model with the general prompt is asked for the form of Hermes.
- _several_: whether an answer may have several calls.
- _thinking_: the marks of a thought, if the model thinks aloud.
- _by default_: whether it thinks if a request says nothing about it: _on_, _off_, or by its own choice; _always_: nothing turns it off.
- _switch_: the variable that turns thinking on and off, with both values. \`reasoning_effort\`, \`reasoning.enabled\`, \`thinking\` and \`enable_thinking\` of a request set it.
- _effort_: the variable that says how much to think, with its values. \`reasoning_effort\` sets it; the next higher value stands for one that it lacks. \`thinking_budget\` is in tokens.
- _text_: what the model writes before an answer's text.

${templateTable(templates)}
`;
  const options = await resolveConfig(path);
  const formatted = await format(page, { ...options, parser: 'markdown' });
  await expect(formatted).toMatchFileSnapshot(path);
});
