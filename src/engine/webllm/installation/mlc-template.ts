import type { TemplateMessage } from '../../../core/operations/jobs/jobs.ts';
import type { RenderChat } from '../../conversation/prompt/render-chat.ts';
import { guardControlTokens } from '../../conversation/prompt/control-tokens.ts';
import type { ChatConfig } from './mlc-chat-config.ts';

type Conversation = ChatConfig['conv_template'];

/**
 * Renders with MLC's own conversation template, for models without a Jinja template. The separators
 * alternate after user and assistant texts, as in MLC's runtimes.
 */
export function mlcTemplate(
  { conv_template: conv }: ChatConfig,
  controlTokens: string[],
): RenderChat {
  return guardControlTokens((messages, { add_generation_prompt: isOpen }) => {
    const head = systemText(conv, messages);
    const turns = messages.filter((message) => message.role !== 'system');
    const texts = turns.map((message, index) => {
      const isBare = index === 0 && head !== '' && conv.add_role_after_system_message === false;
      const before = isBare ? '' : roleText(conv, message.role) + conv.role_content_sep;
      const after = conv.seps.at(message.role === 'assistant' ? -1 : 0) ?? '';
      return before + turnText(conv, message) + after;
    });
    const begun = isOpen === false ? '' : roleText(conv, 'assistant') + conv.role_empty_sep;
    return head + texts.join('') + begun;
  }, controlTokens);
}

function systemText(conv: Conversation, messages: TemplateMessage[]): string {
  const texts = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const text = texts.join('\n\n') || conv.system_message;
  if (text === '' && conv.render_empty_system_message === false) return '';
  return conv.system_template.replace('{system_message}', () => text);
}

function roleText(conv: Conversation, role: string): string {
  return conv.roles[role] ?? conv.roles['user'] ?? '';
}

function turnText(conv: Conversation, { role, content }: TemplateMessage): string {
  const placeholder = `{${role}_message}`;
  return (conv.role_templates?.[role] ?? placeholder)
    .replace('{function_string}', '')
    .replace(placeholder, () => content);
}
