import { expect, test } from './support/fixtures.ts';
import { openWithPromptApi } from './support/prompt-api.ts';
import { GREETING, CAPITAL, PARIS } from './support/prompts.ts';

test('a prompt is answered, and streamed', async ({ fresh, site }) => {
  const page = await openWithPromptApi(fresh, site.url);
  console.log(await page.evaluate(async () => {
    const before = await LanguageModel.availability();
    const loads: number[] = [];
    const session = await LanguageModel.create({ monitor: (m) => m.addEventListener('downloadprogress', (e) => loads.push((e as ProgressEvent).loaded)) });
    const after = await LanguageModel.availability();
    const a = await session.prompt('Hello!');
    const u1 = session.contextUsage;
    const b = await Array.fromAsync(session.promptStreaming('What is the capital of France?'));
    const long = 'Please write a sentence in English.'.repeat(session.contextWindow);
    const t0=performance.now();
    const m = await session.measureContextUsage(long).catch(String);
    const t1=performance.now();
    const q = await window.rejection(session.prompt(long));
    const json = await session.prompt('hello', { responseConstraint: { type: 'object', properties: { Rating: { type: 'number', minimum: 0, maximum: 5 } }, required: ['Rating'], additionalProperties: false } }).catch(String);
    const re = await session.prompt('hello', { responseConstraint: /^\w+$/ }).catch(String);
    const soup = await window.rejection(session.prompt('hello', { responseConstraint: { type: 'soup' } }));
    const prefix = await session.prompt([{role:'user', content:'What is the capital of France?'},{role:'assistant', content: 'The capital', prefix: true}]).catch(String);
    const sys = await session.measureContextUsage([{role:'system', content:'foo'}]).catch(String);
    const empty = await session.prompt('').catch(String);
    return { before, after, a, b, u1, u2: session.contextUsage, w: session.contextWindow, loads: [loads.length, loads[0], loads.at(-1)], m, t: t1-t0, q, json, re, soup, prefix, sys, empty };
  }));
  expect(GREETING + CAPITAL + PARIS).toBeTruthy();
});
