import type { RenderChat } from './chat-template.ts';

/**
 * Keeps what a message spells from becoming a control token: nobody can end his turn and speak for
 * the system by writing `<|im_end|>` in a message.
 *
 * @param controlTokens - texts that the tokenizer turns into control tokens
 */
export function guardControlTokens(render: RenderChat, controlTokens: string[]): RenderChat {
  const safe = (text: string) => controlTokens.reduce(breakUp, text);
  return (messages, options) =>
    render(
      messages.map(({ role, content, name }) => ({
        role,
        content: safe(content),
        ...(name !== undefined && { name: safe(name) }),
      })),
      options,
    );
}

/** A zero-width space after the first character: reads the same, is no control token. */
function breakUp(text: string, token: string): string {
  if (token === '') return text;
  return text.replaceAll(token, () => `${token.slice(0, 1)}\u200b${token.slice(1)}`);
}
