import { expect, test } from 'vitest';
import {
  BREAKPOINTS,
  withoutBreakpoints,
} from '../../../../../src/core/operations/prompt-caching.ts';
import type { Prompt } from '../../../../../src/core/operations/jobs/jobs.ts';
import {
  cleanPrompt,
  placesOf,
} from '../../../../../src/engine/conversation/prompt/breakpoints.ts';

const marked = (text: string) =>
  text
    .replaceAll('!', BREAKPOINTS.short)
    .replaceAll('?', BREAKPOINTS['12h'])
    .replaceAll('#', BREAKPOINTS['1h']);
const places = (text: string, clean = withoutBreakpoints(marked(text))) =>
  placesOf(marked(text), clean).map(({ characters, hours }) =>
    hours > 0 ? `${characters} for ${hours} h` : characters,
  );

test('breakpoints are told as characters of the text', () => {
  expect(places('system!user?')).toEqual([6, '10 for 12 h']);
  expect(places('no breakpoint')).toEqual([]);
});

test('several at one place are one, and the longest time counts', () => {
  expect(places('a!!b!?#c#!d')).toEqual([1, '2 for 12 h', '3 for 1 h']);
});

test('the text’s beginning is none', () => {
  expect(places('!a!')).toEqual([1]);
});

test('where a template makes something else of marks, they end before that', () => {
  // This template cuts white space at the end of a message.
  expect(places('be nice  !|hello!|', 'be nice|hello|')).toEqual([7]);
});

test('a prompt without breakpoints stays as it is', () => {
  const chat = (content: string): Prompt => ({
    kind: 'chat',
    messages: [{ role: 'user', content: marked(content) }],
    templateOptions: {},
  });
  expect(cleanPrompt(chat('hello'))).toBeUndefined();
  expect(cleanPrompt({ kind: 'raw', text: marked('hello!') })).toBeUndefined();
  expect(cleanPrompt(chat('hel!lo?'))).toEqual(chat('hello'));
});
