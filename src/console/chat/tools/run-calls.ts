import { messageOf } from '../../../core/text/message-of.ts';
import { member } from '../../json.ts';
import { isAllowed } from './allowed-code.ts';
import { runInSandbox } from './sandbox.ts';
import type { ToolCall, ToolResult } from './tool-call.ts';

/** The body of each function that has one, by its name. */
export type ToolCode = Readonly<Record<string, string>>;

/** The code of a called function; undefined: it has none. */
export function codeOf({ name }: ToolCall, code: ToolCode): string | undefined {
  const found = member(code, name);
  return typeof found === 'string' ? found : undefined;
}

/** Whether all of these functions have code that the user has allowed. */
export async function mayRun(calls: readonly ToolCall[], code: ToolCode): Promise<boolean> {
  const answers = calls.map(async (call) => {
    const body = codeOf(call, code);
    return body !== undefined && (await isAllowed(call.name, body));
  });
  return (await Promise.all(answers)).every(Boolean);
}

/**
 * Runs the code of a called function. What goes wrong is its result, for the model.
 *
 * @throws the signal's reason
 */
export async function runCall(
  { id: call, name, arguments: given }: ToolCall,
  code: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    // A model that writes no arguments means none.
    const args: unknown = given.trim() === '' ? {} : JSON.parse(given);
    return { call, name, text: await runInSandbox(code, args, signal) };
  } catch (error) {
    signal.throwIfAborted();
    return { call, name, text: errorText(messageOf(error)) };
  }
}

/** The result of a call that has failed. */
export function errorText(error: string): string {
  return JSON.stringify({ error });
}
