import { expect, test } from 'vitest';
import type { GenerateJob } from '../../../../../src/core/operations/jobs/jobs.ts';
import type { CatalogEntry } from '../../../../../src/core/catalog/catalog-entry.ts';
import {
  builtInParameters,
  refuseForBuiltIn,
} from '../../../../../sw/generation/request/built-in-limits.ts';

const sampling = { defaultTemperature: 1, maxTemperature: 1.5, defaultTopK: 3, maxTopK: 8 };
const variant = {
  id: 'builtin',
  engine: 'builtin' as const,
  quantization: 'unknown',
  needs: {},
  source: { kind: 'browser' as const },
};

/** The parameter that is refused. */
function refused(job: Partial<GenerateJob>, given: object = {}): string | null | undefined {
  const entry: CatalogEntry = {
    id: 'chrome/built-in',
    task: 'chat',
    ownedBy: 'browser',
    created: 0,
    contextLength: 9,
    variants: [{ ...variant, ...given }],
  };
  try {
    refuseForBuiltIn(entry, job);
    return undefined;
  } catch (error) {
    return (error as { data: { param: string } }).data.param;
  }
}

test('sampling is refused where the browser lets nobody choose it', () => {
  expect(refused({ sampling: { temperature: 0 } })).toBe('temperature');
  expect(refused({ sampling: { topK: 3 } })).toBe('top_k');
  expect(builtInParameters(variant)).toEqual(['stop', 'max_tokens']);
});

test('where it does, up to its limits', () => {
  expect(refused({ sampling: { temperature: 1.5, topK: 8 } }, { sampling })).toBeUndefined();
  expect(refused({ sampling: { temperature: 1.6 } }, { sampling })).toBe('temperature');
  expect(refused({ sampling: { topK: 9 } }, { sampling })).toBe('top_k');
});

test('values that ask for nothing are no reason to refuse', () => {
  const neutral = {
    topP: 1,
    minP: 0,
    frequencyPenalty: 0,
    presencePenalty: 0,
    repetitionPenalty: 1,
  };
  expect(refused({ sampling: { ...neutral, logitBias: {} } })).toBeUndefined();
  expect(refused({ sampling: { ...neutral, topP: 0.9 } })).toBe('top_p');
  expect(refused({ sampling: { seed: 0 } })).toBe('seed');
});

test('thinking may be turned off, and templates have no other options', () => {
  const prompt = (templateOptions: object) =>
    ({ kind: 'chat', messages: [], templateOptions }) as GenerateJob['prompt'];
  expect(refused({ prompt: prompt({ enable_thinking: false }) })).toBeUndefined();
  expect(refused({ prompt: prompt({ other: 1 }) })).toBe('chat_template_kwargs');
});

test('other models are not looked at', () => {
  const other = { engine: 'llamacpp', source: { kind: 'local' } };
  expect(refused({ sampling: { seed: 1 } }, other)).toBeUndefined();
});
