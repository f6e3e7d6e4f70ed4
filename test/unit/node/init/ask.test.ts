import { expect, test } from 'vitest';
import { askChoices } from '../../../../src/node/init/ask.ts';

const DEFAULTS = {
  folder: 'public',
  packs: ['tiny-chat'],
  speech: false,
  embeddings: false,
  webllm: true,
  sw: true,
  llamacpp: true,
  llamacppGpu: true,
  pdf: false,
};

function answering(answers: string[]) {
  const asked: string[] = [];
  const ask = (question: string) => {
    asked.push(question);
    return Promise.resolve(answers[asked.length - 1] ?? '');
  };
  return { asked, ask };
}

test('empty answers take the defaults, which the questions show', async () => {
  const { asked, ask } = answering([]);
  expect(await askChoices(DEFAULTS, ask)).toEqual(DEFAULTS);
  expect(asked.map((question) => /\[(.*)\] $/.exec(question)?.[1])).toEqual([
    ...['public', 'tiny-chat', 'yes', 'yes', 'no', 'no'],
  ]);
});

test('answers are the choices', async () => {
  const { ask } = answering(['static', 'none', '', 'n', 'Yes']);
  expect(await askChoices(DEFAULTS, ask)).toEqual({
    folder: 'static',
    packs: [],
    speech: true,
    embeddings: true,
    webllm: true,
    sw: true,
    llamacpp: false,
    llamacppGpu: true,
    pdf: false,
  });
});
