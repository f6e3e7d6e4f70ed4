import { expect, test } from 'vitest';
import {
  readAroundText,
  withWholeTexts,
} from '../../../../../src/engine/webllm/retrieval/mlc-tokenizer.ts';

const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
const TEXT = { Sequence: { id: 'A', type_id: 0 } };
const TEMPLATE = {
  type: 'TemplateProcessing',
  single: [special('[CLS]'), TEXT, special('[SEP]'), special('[END]')],
  special_tokens: { '[CLS]': { ids: [101] }, '[SEP]': { ids: [102] }, '[END]': { ids: [7, 8] } },
};

const files = (tokenizer: object) => async (path: string) =>
  path === 'tokenizer.json' ? new Blob([JSON.stringify(tokenizer)]) : undefined;
const around = (post_processor: unknown) => readAroundText(files({ post_processor }));

test.each([
  ['a template', TEMPLATE, [101], [102, 7, 8]],
  ['BERT’s own', { type: 'BertProcessing', cls: ['[CLS]', 3], sep: ['[SEP]', 4] }, [3], [4]],
  ['RoBERTa’s', { type: 'RobertaProcessing', cls: ['<s>', 0], sep: ['</s>', 2] }, [0], [2]],
  ['one that changes offsets only', { type: 'ByteLevel', trim_offsets: true }, [], []],
  [
    'several',
    { type: 'Sequence', processors: [{ type: 'ByteLevel' }, TEMPLATE] },
    [101],
    [102, 7, 8],
  ],
  ['none', null, [], []],
])('special tokens are read from %s', async (_name, processor, before, after) => {
  expect(await around(processor)).toEqual({ before, after });
});

test.each([
  ['of an unknown type', { type: 'New' }, 'unknown post-processor New'],
  ['without ids of a token', { ...TEMPLATE, special_tokens: {} }, 'no ids of [CLS]'],
  ['without the text', { ...TEMPLATE, single: [special('[CLS]')] }, 'without the text'],
  ['of another form', { type: 'BertProcessing' }, 'cannot be used'],
])('a post-processor %s is refused', async (_name, processor, message) => {
  await expect(around(processor)).rejects.toThrow(message);
});

test('WebLLM’s tokenizer neither cuts nor fills up texts; other files stay as they are', async () => {
  const other = new Blob(['weights']);
  const read = withWholeTexts(async (path) =>
    path === 'tokenizer.json'
      ? new Blob(['{"model":{"a":1},"truncation":{"max_length":512},"padding":{"pad_id":0}}'])
      : other,
  );
  const served = await read('tokenizer.json');
  expect(JSON.parse((await served?.text()) ?? '')).toEqual({
    model: { a: 1 },
    truncation: null,
    padding: null,
  });
  expect(await read('params_shard_0.bin')).toBe(other);
});
