/**
 * Waits for a transaction and its request; returns why they failed, or undefined. Chromium gives the cause
 * as the error of the transaction, WebKit as that of the request; the other one only says "aborted".
 */
export async function firstCause(ends: readonly Promise<unknown>[]): Promise<unknown> {
  const reasons: unknown[] = [];
  for (const outcome of await Promise.allSettled(ends)) {
    if (outcome.status === 'rejected') reasons.push(outcome.reason);
  }
  return reasons.find((reason) => !isNamed(reason, 'AbortError')) ?? reasons[0];
}

export function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}
