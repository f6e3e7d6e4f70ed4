import { Template } from '@huggingface/jinja';
import type { TemplateMessage } from '../../../core/operations/jobs.ts';
import { parseExact } from '../../../core/text/exact-json.ts';
import { ModelFileError } from '../../download/hub/model-file-error.ts';
import { guardControlTokens } from './control-tokens.ts';
import { withMarkedIntegers, withoutMarks } from './long-integers.ts';
import { messageForms } from './message-forms.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';
import type { RenderChat } from './render-chat.ts';
import { toolDefinition } from '../tools/general-prompt.ts';

/** Templates that require ids of nine characters check for that; Mistral's do. */
const WANTS_SHORT_IDS = /\|\s*length\s*(?:!=|<)\s*9\b/;
const SHORT_ID = 9;

/** Thrown if a chat template refuses a conversation with `raise_exception`. The message is the template's. */
export class TemplateRefusal extends Error {}

/** Our own name for `raise_exception`: the library's function throws an ordinary Error. */
const REFUSE = 'slashv1_refuse';

/**
 * The model's own Jinja chat template, as a function. The function throws a TemplateRefusal if the template refuses
 * the messages in every form, or fails only with this request's input. It throws a ModelFileError if the template
 * fails with any input.
 *
 * @throws ModelFileError if the template cannot be parsed
 */
export function chatTemplate(source: string, facts: TokenizerFacts): RenderChat {
  const template = parsed(source.replaceAll(/\braise_exception\b/g, REFUSE));
  const idOf = WANTS_SHORT_IDS.test(source) ? shortId : (id: string) => id;
  const renderAs =
    (contentOf: ContentOf): RenderChat =>
    (messages, options, tools) =>
      renderFirstAccepted(messages, (form) =>
        withoutMarks(
          template.render({
            bos_token: facts.bosToken,
            eos_token: facts.eosToken,
            ...options,
            [REFUSE]: refuse,
            messages: form.map((message) => templateMessage(message, idOf, contentOf)),
            // Templates expect null, not an empty list, if there are no tools.
            tools: tools?.map((tool) => withMarkedIntegers(toolDefinition(tool))) ?? null,
            add_generation_prompt: true,
          }),
        ),
      );
  const render = renderAs(contentForm(renderAs));
  const checked: RenderChat = (messages, options, tools) => {
    try {
      return render(messages, options, tools);
    } catch (error) {
      // The template's code works, but not with this request's input.
      if (error instanceof ModelFileError && renders(render)) {
        throw new TemplateRefusal(`its code fails: ${messageOf(error.cause)}`, { cause: error });
      }
      throw error;
    }
  };
  return guardControlTokens(checked, facts.controlTokens);
}

/** A message's content in the form that a template expects. */
type ContentOf = (content: string) => unknown;

const asText: ContentOf = (content) => content;
const asParts: ContentOf = (content) => [{ type: 'text', text: content }];

const PROBE = 'slashv1';

/** Whether a template renders the simplest conversation. */
function renders(render: RenderChat): boolean {
  try {
    render([{ role: 'user', content: PROBE }], {});
    return true;
  } catch {
    return false;
  }
}

/** Chooses the form of contents: templates of vision models may only show contents that are lists of parts. */
function contentForm(renderAs: (contentOf: ContentOf) => RenderChat): ContentOf {
  const shows = (contentOf: ContentOf) => {
    try {
      return renderAs(contentOf)([{ role: 'user', content: PROBE }], {}).includes(PROBE);
    } catch {
      return false;
    }
  };
  return !shows(asText) && shows(asParts) ? asParts : asText;
}

function parsed(source: string): Template {
  try {
    return new Template(source);
  } catch (error) {
    throw new ModelFileError('chat template', parseFault(error), { cause: error });
  }
}

function parseFault(error: unknown): string {
  const message = messageOf(error);
  const [, tag] = /^Unknown statement type: (\w+)/.exec(message) ?? [];
  return tag === undefined
    ? `cannot be parsed: ${message}`
    : `uses the tag {% ${tag} %}, which is not supported`;
}

function refuse(message: unknown): never {
  throw new TemplateRefusal(String(message));
}

/**
 * Many templates take no system message, or insist on user and assistant in turn. If one refuses the
 * messages as they are, it gets them in plainer forms that say the same.
 */
function renderFirstAccepted(
  messages: TemplateMessage[],
  render: (messages: TemplateMessage[]) => string,
): string {
  let failure: unknown;
  for (const form of messageForms(messages)) {
    try {
      return render(form);
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure instanceof TemplateRefusal) throw failure;
  throw new ModelFileError('chat template', `failed: ${messageOf(failure)}`, { cause: failure });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A message in the form that Hugging Face's chat templates expect. */
function templateMessage(
  message: TemplateMessage,
  idOf: (id: string) => string,
  contentOf: ContentOf,
) {
  const { toolCalls, toolCallId, reasoning, content, ...rest } = message;
  const calls = toolCalls?.map(({ id, name, arguments: json }) => ({
    id: idOf(id),
    type: 'function',
    function: { name, arguments: withMarkedIntegers(parseExact(json)) },
  }));
  return {
    ...rest,
    content: contentOf(content),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls && calls.length > 0 && { tool_calls: calls }),
    ...(toolCallId !== undefined && { tool_call_id: idOf(toolCallId) }),
  };
}

/** Nine letters and digits, always the same for the same id (FNV-1a, twice). */
function shortId(id: string): string {
  const digits = [0x811c9dc5, 0x01000193].map((seed) => {
    let hash = seed;
    for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    return (hash >>> 0).toString(36).padStart(7, '0');
  });
  return digits.join('').slice(-SHORT_ID);
}
