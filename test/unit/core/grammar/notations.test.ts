import { describe, expect, test } from 'vitest';
import { membersGrammar } from '../../../../src/core/grammar/compile.ts';
import type { Notation } from '../../../../src/core/grammar/values/objects/notation.ts';
import { CompiledGrammar } from './support/grammar-engine.ts';
import { ELEMENTS, KEYWORDS, MARKED, TAGS } from './support/notations.ts';

const tag = (value: string, name = 'a') => `<p=${name}>\n${value}\n</p>\n`;
const tagged = (...values: string[]) => values.map((value) => tag(value));

type Case = [what: string, schema: unknown, accepted: string[], rejected: string[]];

const IN_TAGS: Case[] = [
  [
    'a string',
    { type: 'string' },
    tagged('', 'Bern', '"', 'a < b\n</p', '</q>\n</ p>', 'é😀'),
    ['', tag('x\n</p>\ny'), '<p=a>\nBern', '<p=a>Bern</p>', tag('Bern', 'b')],
  ],
  [
    'a string of at least 2',
    { type: 'string', minLength: 2 },
    tagged('ab', 'abc<'),
    tagged('', 'a'),
  ],
  ['a string of at most 3', { type: 'string', maxLength: 3 }, tagged('', 'é😀b'), tagged('abcd')],
  ['a pattern', { type: 'string', pattern: '^[a-c]+$' }, tagged('abc'), tagged('', 'abd')],
  ['a list of texts', { enum: ['km', 'k</p>'] }, tagged('km', 'k</p>'), tagged('"km"', 'k')],
  ['an integer', { type: 'integer', minimum: 5 }, tagged('5', '17'), tagged('4', '"5"', 'x')],
  ['a boolean', { type: 'boolean' }, tagged('True', 'False'), tagged('true')],
  ['null', { type: 'null' }, tagged('None'), tagged('null')],
  ['a constant', { const: true }, tagged('True'), tagged('False')],
  ['listed values', { enum: [1, 'one', null] }, tagged('1', 'one', 'None'), tagged('two', 'null')],
  ['anything but true', { type: 'boolean', not: { const: true } }, tagged('False'), tagged('True')],
  ['an array', { type: 'array', items: { type: 'string' } }, tagged('["a", "b"]'), tagged('[1]')],
  ['an object', { type: 'object', properties: { b: {} } }, tagged('{"b": true}'), tagged('{b:1}')],
  ['anything', true, tagged('3', 'three', '{"a": 1}'), ['']],
  ['a number or a text', { type: ['number', 'string'] }, tagged('3', 'three'), ['']],
];

const WITH_MARKS: Case[] = [
  ['a string', { type: 'string' }, ['a:<|"|>a < "b"<|"|>', 'a:<|"|><|"|>'], ['a:Bern', 'a:"Bern"']],
  ['a boolean', { type: 'boolean' }, ['a:true'], ['a:True', 'a:<|"|>true<|"|>']],
  [
    'an array',
    { type: 'array', items: { type: ['string', 'number'] } },
    ['a:[<|"|>x<|"|>,2]', 'a:[]'],
    ['a:["x"]', 'a:[x]'],
  ],
  [
    'an object',
    {
      type: 'object',
      properties: { b: { enum: ['x', null] }, c: { type: 'object', properties: { d: {} } } },
      required: ['b'],
    },
    ['a:{b:<|"|>x<|"|>}', 'a:{b:null,c:{d:[1,{e_f:true}]}}'],
    ['a:{"b":null}', 'a:{c:{d:1}}', 'a:{b:<|"|>y<|"|>}'],
  ],
  ['a listed object', { enum: [{ b: ['x', 1] }] }, ['a:{b:[<|"|>x<|"|>,1]}'], ['a:{b:[]}']],
  [
    'an array without a value twice',
    { type: 'array', items: { enum: ['x', 1] }, uniqueItems: true },
    ['a:[<|"|>x<|"|>,1]', 'a:[1]'],
    ['a:["x",1]', 'a:[1,1]'],
  ],
];

const elements = (...values: string[]) => values.map((value) => `<a>${value}</a>`);

const IN_ELEMENTS: Case[] = [
  [
    'a string',
    { type: 'string' },
    elements('', 'Bern', '<b>x</b>', 'a < b'),
    ['', '<a>Bern', '<a>Bern</b>', '<b>x</b>'],
  ],
  ['an integer', { type: 'integer' }, elements('3'), elements('x', '')],
  ['listed texts', { enum: ['km', 'mi'] }, elements('km'), elements('k')],
  [
    'an array',
    { type: 'array', items: { type: 'integer' }, minItems: 1 },
    elements('<item>1</item>', '<item>1</item><item>2</item>'),
    elements('', '[1]', '<item>x</item>', '<item>1</item>,<item>2</item>', '<b>1</b>'),
  ],
  [
    'an array without a value twice',
    { type: 'array', items: { enum: ['x', 1] }, uniqueItems: true },
    elements('<item>x</item><item>1</item>', ''),
    elements('<item>1</item><item>1</item>'),
  ],
  [
    'an object',
    {
      type: 'object',
      properties: { b: { type: 'boolean' }, c: { type: 'object', properties: { d: {} } } },
      required: ['b'],
    },
    elements('<b>true</b>', '<b>false</b><c><d>x</d></c>', '<b>true</b><c><d><e>1</e></d></c>'),
    elements('', '<c></c>', '<b>true</c>', '{"b":true}'),
  ],
  ['an object of any members', { type: 'object' }, elements('', '<b_1>x</b_1>'), elements('x')],
  ['anything', true, elements('', 'x', '<item>x</item>', '<b><c>1</c></b>'), ['']],
];

async function expectHeld(notation: Notation, [, value, accepted, rejected]: Case): Promise<void> {
  const schema = { type: 'object', properties: { a: value }, required: ['a'] };
  const grammar = await CompiledGrammar.compile(membersGrammar(schema, notation));
  expect(accepted.filter((text) => !grammar.accepts(text))).toEqual([]);
  expect(rejected.filter((text) => grammar.accepts(text))).toEqual([]);
  grammar.dispose();
}

describe('a member in tags may be', () => {
  test.each(IN_TAGS)('%s', (...held) => expectHeld(TAGS, held));
});

describe('a member with marks around strings may be', () => {
  test.each(WITH_MARKS)('%s', (...held) => expectHeld(MARKED, held));
});

describe('a member that is an element may be', () => {
  test.each(IN_ELEMENTS)('%s', (...held) => expectHeld(ELEMENTS, held));
});

test('members are written in the order of the schema, and others where it allows them', async () => {
  const properties = { a: { type: 'string' }, b: { type: 'integer' } };
  const schema = { type: 'object', properties, additionalProperties: { type: 'integer' } };
  const grammar = await CompiledGrammar.compile(membersGrammar(schema, TAGS));
  const accepted = ['', tag('x') + tag('1', 'b'), tag('1', 'b') + tag('2', 'other_name')];
  expect(accepted.filter((text) => !grammar.accepts(text))).toEqual([]);
  expect(grammar.accepts(tag('x', 'other'))).toBe(false);
  expect(grammar.accepts(tag('1', 'b') + tag('x'))).toBe(false);
  grammar.dispose();
});

test('a list of whole objects is refused, or left out if the caller does not insist', () => {
  const schema = { type: 'object', enum: [{ a: 1 }] };
  expect(() => membersGrammar(schema, KEYWORDS)).toThrow("'schema.enum' lists whole objects.");
  expect(membersGrammar(schema, KEYWORDS, { lenient: true })).toContain('root ::=');
});
