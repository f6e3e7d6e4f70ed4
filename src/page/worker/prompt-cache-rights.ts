import type { PromptCacheRights } from '../../core/database/database.ts';

/** What pages with these options may keep of their prompts on disk; undefined: nothing. @throws TypeError */
export function readPromptCacheRights(given: unknown): PromptCacheRights | undefined {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError('promptCache must be an object.');
  }
  const { disk = false, maxBytes, ...others }: Record<string, unknown> = { ...given };
  const [odd] = Object.keys(others);
  if (odd !== undefined) throw new TypeError(`promptCache has no option '${odd}'.`);
  if (typeof disk !== 'boolean') throw new TypeError('promptCache.disk must be a boolean.');
  if (maxBytes !== undefined && !(typeof maxBytes === 'number' && maxBytes > 0)) {
    throw new TypeError('promptCache.maxBytes must be a number of bytes above 0.');
  }
  return disk ? { owner: 'site', ...(maxBytes !== undefined && { maxBytes }) } : undefined;
}
