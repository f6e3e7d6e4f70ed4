import { expect, test } from 'vitest';
import { jsonWithModel } from '../../../../sw/http/kept-request.ts';

test.for([
  ['{"model":"a"}', '{"model":"b"}'],
  ['{ "x" : 1.0 , "model" : "a" , "y":[1e400,{"model":"a"}] }\n', null],
  [String.raw`{"te\"xt":"\"model\":\\","model":"a\"\\","z":"{[,:\"}"}`, null],
  [String.raw`{"mode\u006c":"a","o":{"model":"a"},"model":"a"}`, null],
  ['{"list":["model","a"],"model":"a","stop":"model"}', null],
] as const)('in %s, only the model is another', ([json, whole]) => {
  const result = jsonWithModel(json, 'b');
  if (whole !== null) expect(result).toBe(whole);
  const given = JSON.parse(json) as Record<string, unknown>;
  expect(JSON.parse(result)).toEqual({ ...given, model: 'b' });
});

test('numbers, spaces and the names of models inside stay as they are written', () => {
  const json = '{ "n" : 1.0,\t"model":"a", "seed":12345678901234567890, "in":{"model":"a"} }';
  expect(jsonWithModel(json, 'x"y')).toBe(
    String.raw`{ "n" : 1.0,	"model":"x\"y", "seed":12345678901234567890, "in":{"model":"a"} }`,
  );
});

test('a body of many megabytes takes no time to speak of', () => {
  const json = `{"image":"${'A'.repeat(20_000_000)}","model":"a"}`;
  const began = performance.now();
  expect(jsonWithModel(json, 'b').endsWith('"model":"b"}')).toBe(true);
  expect(performance.now() - began).toBeLessThan(2_000);
});
