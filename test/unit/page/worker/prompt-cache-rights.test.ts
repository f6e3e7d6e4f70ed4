import { describe, expect, test } from 'vitest';
import { readPromptCacheRights } from '../../../../src/page/worker/prompt-cache-rights.ts';

describe('what pages may keep of their prompts on disk', () => {
  test.each([
    [{}, undefined],
    [{ disk: false, maxBytes: 5 }, undefined],
    [{ disk: true }, { owner: 'site' }],
    [
      { disk: true, maxBytes: 5e8 },
      { owner: 'site', maxBytes: 5e8 },
    ],
    [{ disk: true, maxBytes: undefined }, { owner: 'site' }],
  ])('of %j', (options, rights) => {
    expect(readPromptCacheRights(options)).toEqual(rights);
  });

  test.each([
    [true, 'promptCache must be an object'],
    [null, 'promptCache must be an object'],
    [{ disk: 1 }, 'promptCache.disk must be a boolean'],
    [{ disk: true, maxBytes: 0 }, 'promptCache.maxBytes must be'],
    [{ disk: true, maxBytes: '1' }, 'promptCache.maxBytes must be'],
    [{ disc: true }, "no option 'disc'"],
  ])('%j is refused', (options, message) => {
    expect(() => readPromptCacheRights(options)).toThrow(message);
  });
});
