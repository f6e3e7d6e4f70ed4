import { expect, test } from 'vitest';
import { bodyProblem, formOf } from '../../../../src/console/playground/requests.ts';

test('the fields of a body become those of a form, lists with brackets', () => {
  const recording = new File(['sound'], 'said.wav');
  const form = formOf('{"model":"a/b","temperature":0.5,"include":["x","y"]}', recording);
  expect([...form.keys()]).toEqual(['file', 'model', 'temperature', 'include[]', 'include[]']);
  expect(form.get('model')).toBe('a/b');
  expect(form.get('temperature')).toBe('0.5');
  expect(form.getAll('include[]')).toEqual(['x', 'y']);
});

test.each(['[]', '1', 'null', '{'])('%s is no body', (text) => {
  expect(bodyProblem(text)).not.toBe('');
});
