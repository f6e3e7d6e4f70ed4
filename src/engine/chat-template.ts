import { Template } from '@huggingface/jinja';
import { invalidRequest } from '../core/errors.ts';
import type { TemplateMessage } from '../core/engine.ts';
import { guardControlTokens } from './control-tokens.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';

/** Renders a conversation to the text that the model was trained to continue. */
export type RenderChat = (messages: TemplateMessage[], options: Record<string, unknown>) => string;

/** The model's own Jinja chat template, as a function. */
export function chatTemplate(source: string, facts: TokenizerFacts): RenderChat {
  const template = new Template(source);
  return guardControlTokens(
    (messages, options) =>
      renderSomehow(messages, (attempt) =>
        template.render({
          bos_token: facts.bosToken,
          eos_token: facts.eosToken,
          ...options,
          messages: attempt,
          add_generation_prompt: true,
        }),
      ),
    facts.controlTokens,
  );
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
