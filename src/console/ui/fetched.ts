import { messages } from '../messages/messages.ts';

/**
 * Code that is fetched for something that the user does.
 *
 * @throws Error for the user if it cannot be
 */
export function fetched<Code>(code: Promise<Code>): Promise<Code> {
  return code.catch((error: unknown) => {
    throw new Error(messages.value.app.notFetched, { cause: error });
  });
}
