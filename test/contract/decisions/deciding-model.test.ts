import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { openModel } from '../../../models/decisions/asked-model.ts';
import { isRight } from '../../../models/decisions/figures.ts';
import { MODEL, openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { json } from '../support/read.ts';
import { DECIDING_FILE, heldOutQuestions } from '../../unit/support/models/deciding-model.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('a real model that was trained to decide', () => {
  test('is right about questions that it has not seen, by both orders', async () => {
    const ask = await openModel(DECIDING_FILE);
    const items = heldOutQuestions();
    const wrong: string[] = [];
    let coverages = 0;
    for (const item of items) {
      const { both, coverage } = await ask(item, 'words');
      if (!isRight({ chances: both, right: item.right })) wrong.push(item.id);
      coverages += coverage;
    }
    expect(items.length).toBeGreaterThanOrEqual(60);
    expect(wrong.length / items.length, wrong.join(', ')).toBeLessThanOrEqual(0.05);
    // The model itself would answer with one of the options, and with nothing else.
    expect(coverages / items.length).toBeGreaterThan(0.95);
  });

  test('answers the example of docs/decide.md as the page says', async () => {
    const engine = new LlamaCppEngine(Uint8Array.from(readFileSync(DECIDING_FILE)));
    const api = await openApi({ via: () => engine });
    const page = readFileSync(new URL('../../../docs/decide.md', import.meta.url), 'utf8');
    const [, example = ''] = /input: '([^']+)'/.exec(page) ?? [];
    const choices = [{ value: 'billing', description: 'payments' }, { value: 'support' }];
    const levels = ['calm', 'annoyed', 'furious'].map((label) => ({ label }));
    const questions = [
      { type: 'choice', instructions: 'Which team is this for?', choices },
      { type: 'predicate', instructions: 'It is about money.' },
      { type: 'score', instructions: 'How angry is the writer?', levels },
    ];
    const response = await api.post('/decisions', { model: MODEL, input: example, questions });
    const { answers } = await json<{
      answers: { choice?: string; probability?: number; score?: number }[];
    }>(response);
    const [team, money, anger] = answers;
    expect(team?.choice).toBe('billing');
    expect(money?.probability).toBeGreaterThan(0.9);
    expect(anger?.score).toBeCloseTo(1, 0);
  });
});
