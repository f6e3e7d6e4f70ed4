/**
 * Mark a breakpoint in a message's content: the prompt up to there is worth keeping, in memory or for so many hours on disk.
 * Unicode reserves these characters for use inside a program, and the service worker keeps them out of clients' texts.
 */
export const BREAKPOINTS = { short: '\uFDD1', '1h': '\uFDD2', '12h': '\uFDD3' } as const;

/** A content without its breakpoints. */
export function withoutBreakpoints(content: string): string {
  return content.replaceAll(/[\uFDD1-\uFDD3]/g, '');
}

/** How a request's prompt is to be cached. */
export interface PromptCaching {
  /** Caches of prompts with the same key are preferred. */
  key?: string;
  /** Only the copies at breakpoints are read and kept; without breakpoints, nothing is. */
  isExplicit?: boolean;
  /** For how many hours all breakpoints, or without any the whole prompt, ask to be kept on disk. */
  hours?: number;
}

/** Tokens that were computed and put into copies at breakpoints, by how long these are wanted. */
export interface CacheWrites {
  short: number;
  long: number;
}

/** The sum of writes; undefined: nothing was written. */
export function totalWrites(writes: readonly (CacheWrites | undefined)[]): {
  cacheWrites?: CacheWrites;
} {
  const sum = (kind: keyof CacheWrites) =>
    writes.reduce((total, each) => total + (each?.[kind] ?? 0), 0);
  const cacheWrites = { short: sum('short'), long: sum('long') };
  return cacheWrites.short + cacheWrites.long > 0 ? { cacheWrites } : {};
}

/** Asks how much is kept on disk, deletes all of it, or what nobody can use any more. */
export interface PromptsRequest {
  action: 'size' | 'clear' | 'sweep';
}

/** What is kept on disk, of all owners. */
export interface PromptsEvent {
  type: 'prompts';
  prompts: number;
  bytes: number;
}
