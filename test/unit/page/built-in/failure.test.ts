import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/page/built-in/failure.ts';

const attempt = { hasFormat: false, hasBegun: false, window: 100 };
const dom = (name: string, members: object = {}) =>
  Object.assign(new DOMException('why', name), members);

test.each([
  [
    'a prompt that does not fit, with numbers',
    failureOf(dom('QuotaExceededError', { requested: 120, quota: 100 }), attempt),
    { status: 400, code: 'context_length_exceeded', overflow: { prompt: 120, context: 100 } },
  ],
  [
    'the same of an older browser, without numbers',
    failureOf(dom('QuotaExceededError'), attempt),
    { status: 400, code: 'context_length_exceeded' },
  ],
  [
    'a download without a click',
    failureOf(dom('NotAllowedError'), attempt),
    { status: 404, code: 'model_not_found', message: expect.stringContaining('click') as string },
  ],
  [
    'a format',
    failureOf(dom('NotSupportedError'), { ...attempt, hasFormat: true }),
    { status: 400, code: 'unsupported_value', param: 'format' },
  ],
  [
    'a prompt in a language that the model does not know',
    failureOf(dom('NotSupportedError'), attempt),
    { status: 400, code: 'unsupported_value', param: 'prompt' },
  ],
  [
    'an answer that breaks off',
    failureOf(dom('NotSupportedError'), { ...attempt, hasBegun: true }),
    { status: 500, code: 'engine_error' },
  ],
  ['what is no error', failureOf('odd', attempt), { status: 500, code: 'engine_error' }],
])('%s', (_what, error, expected) => {
  expect(error.data).toMatchObject(expected);
});
