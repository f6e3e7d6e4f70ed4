import { expect, test } from 'vitest';
import { entryText, readRoutes, type GivenRouteEntry } from '../../../../src/core/realms/routes.ts';
import { readUpstreams } from '../../../../src/core/realms/upstreams.ts';

const UPSTREAMS = readUpstreams(
  [{ name: 'cluster', baseURL: 'https://llm.example/v1', models: ['meta-llama/*'] }],
  new URL('https://site.example/'),
);

const read = (routes: Record<string, readonly GivenRouteEntry[]>) => readRoutes(routes, UPSTREAMS);

test('an entry is a place and a model there, whose id may have colons', () => {
  const [route, ...others] = read({
    assistant: [{ to: 'device:o/small:Q4.gguf', maxQueue: 2 }, 'cluster:meta-llama/Big'],
  });
  expect(others).toEqual([]);
  expect(route).toEqual({
    name: 'assistant',
    entries: [
      { place: 'device', model: 'o/small:Q4.gguf', maxQueue: 2 },
      { place: 'cluster', model: 'meta-llama/Big' },
    ],
  });
  expect(route?.entries.map(entryText)).toEqual([
    'device:o/small:Q4.gguf',
    'cluster:meta-llama/Big',
  ]);
});

test.for([
  [{ '': ['device:a'] }, 'names'],
  [{ a: [] }, 'one or more (a)'],
  [{ a: 'device:a' as unknown as string[] }, 'lists'],
  [{ a: ['no-place'] }, "'device:MODEL'"],
  [{ a: ['device:'] }, "'device:MODEL'"],
  [{ a: ['other:model'] }, "to an upstream, not 'other:model'"],
  [{ a: ['cluster:openai/gpt'] }, "models of the upstream, not 'cluster:openai/gpt'"],
  [{ a: [{ to: 'device:b', maxQueue: 0 }] }, 'whole numbers from 1'],
  [{ a: [{ to: 'cluster:meta-llama/Big', maxQueue: 1 }] }, 'models of the device only'],
] as const)('%o is refused', ([routes, message]) => {
  expect(() => read(routes)).toThrow(message);
});

test('no upstream is called as the device is', () => {
  const device = { name: 'device', baseURL: 'https://llm.example/v1', models: '*' as const };
  expect(() => readUpstreams([device], new URL('https://site.example/'))).toThrow(
    "cannot be called 'device'",
  );
});
