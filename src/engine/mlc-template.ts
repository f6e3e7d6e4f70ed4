import * as v from 'valibot';
import type { RenderChat } from './chat-template.ts';

/** What we use of `mlc-chat-config.json`. */
export const chatConfigSchema = v.object({
  context_window_size: v.number(),
  conv_template: v.object({
    system_template: v.optional(v.string(), '{system_message}'),
    system_message: v.optional(v.string(), ''),
    system_prefix_token_ids: v.nullish(v.array(v.number())),
    roles: v.record(v.string(), v.string()),
    seps: v.array(v.string()),
    role_content_sep: v.optional(v.string(), ': '),
    role_empty_sep: v.optional(v.string(), ':'),
    stop_str: v.optional(v.array(v.string()), []),
    stop_token_ids: v.optional(v.array(v.number()), []),
  }),
  eos_token_id: v.nullish(v.union([v.number(), v.array(v.number())])),
});

export type ChatConfig = v.InferOutput<typeof chatConfigSchema>;

/**
 * Renders with MLC's own conversation template: for models without a Jinja template. The seps
 * stand in turn after user's and assistant's texts, as in MLC's runtimes.
 */
export function mlcTemplate({ conv_template: conv }: ChatConfig): RenderChat {
  const role = (name: string) => conv.roles[name] ?? conv.roles['user'] ?? '';
  const separator = (isAssistant: boolean) =>
    conv.seps[isAssistant ? conv.seps.length - 1 : 0] ?? '';
  return (messages) => {
    const system = messages
      .filter((m) => m.role === 'system')
      .map((m) => m.content)
      .join('\n\n');
    const head = conv.system_template.replace(
      '{system_message}',
      () => system || conv.system_message,
    );
    const turns = messages
      .filter((message) => message.role !== 'system')
      .map(
        (m) => role(m.role) + conv.role_content_sep + m.content + separator(m.role === 'assistant'),
      );
    return head + turns.join('') + role('assistant') + conv.role_empty_sep;
  };
}
