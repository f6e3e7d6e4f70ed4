import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { json } from '../support/read.ts';

const PATH = '/decisions';
const TRUE = { type: 'predicate', instructions: 'It is urgent.' };
const TEAM = {
  type: 'choice',
  instructions: 'Which team?',
  choices: [{ value: 'ab' }, { value: 'abcdef' }],
};
const ANGER = {
  type: 'score',
  instructions: 'How angry?',
  levels: [{ label: 'ab' }, { label: 'abcd' }, { label: 'ef' }],
};
/** The engine answers it with 0.75; 0.25 and 0.75; 0.25, 0.5 and 0.25. */
const REQUEST = { model: MODEL, input: 'I was charged twice.', questions: [TRUE, TEAM, ANGER] };

describe('calibrated decisions', () => {
  test('a calibration of the catalog corrects the types that it knows, and is told', async () => {
    const predicate = { temperature: 2, bias: 0.5 };
    const score = { temperature: 1, bias: Math.LN2 };
    const api = await openApi({ calibration: { predicate, score } });
    const body = await json(await api.post(PATH, REQUEST));
    const odds = Math.sqrt(3) * Math.exp(0.5);
    const levels = [1 / 9, 4 / 9, 4 / 9];
    expect(body).toMatchObject({
      answers: [
        { probability: expect.closeTo(odds / (1 + odds), 12) },
        { probabilities: [{ probability: 0.25 }, { probability: 0.75 }] },
        {
          probabilities: levels.map((probability) => ({
            probability: expect.closeTo(probability, 12),
          })),
        },
      ],
      calibration: { method: 'temperature', by_type: { predicate, score } },
    });
  });

  test('only what corrected an answer is told', async () => {
    const choiceAlone = { calibration: { choice: { temperature: 2 } } };
    const of = async (questions: object[]) => {
      const api = await openApi(choiceAlone);
      return json(await api.post(PATH, { ...REQUEST, questions }));
    };
    expect(await of([TRUE])).toMatchObject({ calibration: { method: 'none' } });
    expect(await of([TRUE, TEAM])).toMatchObject({
      calibration: { method: 'temperature', by_type: choiceAlone.calibration },
    });
  });

  test('a request’s own temperature replaces the calibration of the catalog', async () => {
    const api = await openApi({ calibration: { predicate: { temperature: 2, bias: 0.5 } } });
    expect(await json(await api.post(PATH, { ...REQUEST, temperature: 1 }))).toMatchObject({
      answers: [{ probability: expect.closeTo(0.75, 12) }, {}, {}],
      calibration: { method: 'temperature', temperature: 1 },
    });
  });

  test('only models with a measured calibration list decisions', async () => {
    const featuresOf = async (setup: Parameters<typeof openApi>[0]) => {
      const { data } = await (await openApi(setup)).client().models.list();
      const model = data.find(({ id }) => id === MODEL);
      return (model as unknown as { supported_features: string[] }).supported_features;
    };
    expect(await featuresOf({})).not.toContain('decisions');
    expect(await featuresOf({ calibration: { choice: { temperature: 2 } } })).toContain(
      'decisions',
    );
  });

  test('/v1/systemone is calibrated, too', async () => {
    const predicate = { temperature: 0.5 };
    const api = await openApi({ calibration: { predicate } });
    const questions = { urgent: { type: 'noul', instructions: 'Is it urgent?' } };
    expect(
      await json(await api.post('/systemone', { model: MODEL, state: 'Hi', questions })),
    ).toMatchObject({
      answers: { urgent: { noul: expect.closeTo(0.9, 12) } },
      calibration: { method: 'temperature', by_type: { predicate } },
    });
  });
});
