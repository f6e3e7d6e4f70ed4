import { expect, test, vi } from 'vitest';
import { answerOf, chatJob, openEngine } from '../../support/servers/engine-site.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const { signal } = new AbortController();

const template = (source: string) => JSON.stringify({ chat_template: source });

/** The file that is wrong, what it holds, and what the error says of it. */
const WRONG: [file: string, content: string, says: string][] = [
  ['tokenizer_config.json', template('{% include "x" %}'), 'its chat template uses the tag {% in'],
  ['tokenizer_config.json', template('{% do x %}'), 'its chat template uses the tag {% do %}'],
  ['tokenizer_config.json', template('{% if %}'), 'its chat template cannot be parsed'],
  ['tokenizer_config.json', template('{{ messages | no_filter }}'), 'its chat template failed'],
  ['tokenizer_config.json', '{"chat_template": 5}', 'its tokenizer_config.json cannot be used'],
  ['tokenizer.json', '{"added_tokens": "none"}', 'its tokenizer.json cannot be used'],
  [
    'mlc-chat-config.json',
    '{"context_window_size": 1',
    'its mlc-chat-config.json is not valid JSON',
  ],
  ['mlc-chat-config.json', '{}', 'its mlc-chat-config.json cannot be used: context_window_size'],
];

test.each(WRONG)(
  '%s that holds %s is an error of that model alone',
  async (file, content, says) => {
    const { engine, onBroken } = await openEngine({}, { ofC: { [file]: content } });
    await answerOf(engine.run(chatJob('a', 'Hi'), signal));
    const answer = answerOf(engine.run(chatJob('c', 'Hi'), signal));
    await expect(answer).rejects.toMatchObject({
      data: {
        status: 500,
        code: 'model_unusable',
        retryable: false,
        message: expect.stringContaining(`'c' cannot be used: ${says}`),
      },
    });
    expect(onBroken).not.toHaveBeenCalled();
    expect((await answerOf(engine.run(chatJob('a', 'Hi'), signal))).text).toBe('Hello there');
  },
);

test('a chat template that refuses the messages is named with its model', async () => {
  const refusing = template("{{ raise_exception('Not today') }}");
  const files = { 'tokenizer_config.json': refusing };
  const { engine, onBroken } = await openEngine({}, { ofC: files });
  await expect(answerOf(engine.run(chatJob('c', 'Hi'), signal))).rejects.toMatchObject({
    data: {
      status: 400,
      param: 'prompt',
      message: "The chat template of 'c' refuses these messages: Not today",
    },
  });
  expect(onBroken).not.toHaveBeenCalled();
});
