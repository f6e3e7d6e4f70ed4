import { Template } from '@huggingface/jinja';
import { invalidRequest } from '../../core/protocol/errors.ts';
import type { TemplateMessage } from '../../core/protocol/jobs.ts';
import { guardControlTokens } from './control-tokens.ts';
import { messageForms } from './message-forms.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';
import type { RenderChat } from './render-chat.ts';
import { toolDefinition } from './tools/general-prompt.ts';

/** Templates that take no other ids say so; what they say was seen in Mistral's. */
const WANTS_SHORT_IDS = /\|\s*length\s*(?:!=|<)\s*9\b/;
const SHORT_ID = 9;

/** The model's own Jinja chat template, as a function. */
export function chatTemplate(source: string, facts: TokenizerFacts): RenderChat {
  const template = new Template(source);
  const idOf = WANTS_SHORT_IDS.test(source) ? shortId : (id: string) => id;
  return guardControlTokens(
    (messages, options, tools) =>
      renderSomehow(messages, (attempt) =>
        template.render({
          bos_token: facts.bosToken,
          eos_token: facts.eosToken,
          ...options,
          messages: attempt.map((message) => templateMessage(message, idOf)),
          // Templates are used to it: there are either tools or none.
          tools: tools?.map(toolDefinition) ?? null,
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
  let failure: unknown;
  for (const attempt of messageForms(messages)) {
    try {
      return render(attempt);
    } catch (error) {
      failure ??= error;
    }
  }
  const why = failure instanceof Error ? failure.message : String(failure);
  throw invalidRequest(`The model's chat template refuses these messages: ${why}`, 'messages');
}

/** A message as Hugging Face's templates know it. */
function templateMessage(message: TemplateMessage, idOf: (id: string) => string) {
  const { toolCalls, toolCallId, ...rest } = message;
  const calls = toolCalls?.map(({ id, name, arguments: json }) => ({
    id: idOf(id),
    type: 'function',
    function: { name, arguments: JSON.parse(json) as unknown },
  }));
  return {
    ...rest,
    ...(calls && calls.length > 0 && { tool_calls: calls }),
    ...(toolCallId !== undefined && { tool_call_id: idOf(toolCallId) }),
  };
}

/** Nine letters and digits, the same for the same id (FNV-1a, twice over). */
function shortId(id: string): string {
  const digits = [0x811c9dc5, 0x01000193].map((seed) => {
    let hash = seed;
    for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    return (hash >>> 0).toString(36).padStart(7, '0');
  });
  return digits.join('').slice(-SHORT_ID);
}
