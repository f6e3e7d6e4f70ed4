import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import report from '../../../models/decisions/report.json' with { type: 'json' };
import { labelledItems } from '../../../models/decisions/items.ts';

const PAGE = new URL('../../../docs/decide.md', import.meta.url);
const READ_ME = new URL('../../../models/decisions/README.md', import.meta.url);
const MODELS = { 'smollm2-135m': 'SmolLM2-135M', 'tiny-chat': 'tiny-chat' };
const QUESTIONS = {
  predicate: 'predicates',
  choiceByWords: 'choices by words',
  choiceByLetters: 'choices by letters',
  score: 'scores',
};

type Model = keyof typeof MODELS;
type Questions = keyof typeof QUESTIONS;

/** The cells of each row of a Markdown file's tables. */
function rows(file: URL): string[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function rowOf(model: Model, questions: Questions): string[] {
  const { before, after, ...figures } = report[model][questions];
  const shares = [
    figures.chance,
    figures.rightByOneOrder,
    figures.rightByBothOrders,
    figures.changedByOrder,
  ];
  return [
    MODELS[model],
    QUESTIONS[questions],
    String(figures.questions),
    ...shares.map((share) => `${Math.round(share * 100)} %`),
    `${before.ece.toFixed(2)} → ${after.ece.toFixed(2)}`,
    `${before.brier.toFixed(2)} → ${after.brier.toFixed(2)}`,
  ];
}

test('the page about decisions shows the figures of the report', () => {
  const expected = (Object.keys(MODELS) as Model[]).flatMap((model) =>
    (Object.keys(QUESTIONS) as Questions[]).map((questions) => rowOf(model, questions)),
  );
  expect(rows(PAGE)).toEqual(expect.arrayContaining(expected));
});

test('the report and the read-me count the questions of the set', () => {
  for (const type of ['predicate', 'choice', 'score'] as const) {
    const items = labelledItems().filter((item) => item.type === type);
    const families = new Set(items.map(({ family }) => family));
    expect(rows(READ_ME).map((row) => row.slice(0, 3))).toContainEqual([
      type,
      String(items.length),
      String(families.size),
    ]);
    const measured = type === 'choice' ? 'choiceByWords' : type;
    for (const model of Object.values(report)) {
      expect(model[measured].questions).toBe(items.length);
    }
  }
});
