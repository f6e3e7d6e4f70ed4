import { Template } from '@huggingface/jinja';
import { invalidRequest } from '../core/errors.ts';
import type { TemplateMessage } from '../core/engine.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';

/** Renders a conversation to the text that the model was trained to continue. */
export type RenderChat = (messages: TemplateMessage[], options: Record<string, unknown>) => string;

/**
 * The model's own Jinja chat template, as a function.
 *
 * Text of a message that spells a control token is kept from becoming one: nobody can end his turn
 * and speak for the system by writing `<|im_end|>` in a message.
 */
export function chatTemplate(source: string, facts: TokenizerFacts): RenderChat {
  const template = new Template(source);
  const render = (messages: TemplateMessage[], options: Record<string, unknown>) =>
    template.render({
      bos_token: facts.bosToken,
      eos_token: facts.eosToken,
      ...options,
      messages,
      add_generation_prompt: true,
    });
  return (messages, options) => {
    const safe = messages.map((message) => ({
      ...message,
      content: neutralise(message.content, facts.controlTokens),
    }));
    return renderSomehow(safe, (attempt) => render(attempt, options));
  };
}

/**
 * Many templates take no system message, or insist on user and assistant in turn. Where one refuses
 * the messages as they are, it gets them in the plainest form that says the same.
 */
function renderSomehow(
  messages: TemplateMessage[],
  render: (messages: TemplateMessage[]) => string,
): string {
  const attempts = [messages, mergeRoles(messages), mergeRoles(systemAsUser(messages))];
  let failure: unknown;
  for (const attempt of attempts) {
    try {
      return render(attempt);
    } catch (error) {
      failure ??= error;
    }
  }
  const why = failure instanceof Error ? failure.message : String(failure);
  throw invalidRequest(`The model's chat template refuses these messages: ${why}`, 'messages');
}

function mergeRoles(messages: TemplateMessage[]): TemplateMessage[] {
  const merged: TemplateMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) last.content += `\n\n${message.content}`;
    else merged.push({ ...message });
  }
  return merged;
}

function systemAsUser(messages: TemplateMessage[]): TemplateMessage[] {
  return messages.map((message) =>
    message.role === 'system' ? { ...message, role: 'user' } : message,
  );
}

/** A zero-width space after the first character: reads the same, is no control token. */
function neutralise(text: string, controlTokens: string[]): string {
  return controlTokens.reduce(
    (safe, token) => safe.replaceAll(token, () => `${token.slice(0, 1)}\u200b${token.slice(1)}`),
    text,
  );
}
