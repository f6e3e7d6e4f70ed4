import { TemplateTooLong } from '../jinja/limits/faults.ts';
import type { TemplateMessage } from '../../../core/operations/jobs/jobs.ts';
import { jobFault } from '../../../core/errors/errors.ts';
import { stringifyExact } from '../../../core/text/exact-json.ts';
import { ModelFileError } from '../../download/hub/model-file-error.ts';
import { type Limits } from '../jinja/limits/render-limits.ts';
import { argumentsOf } from '../jinja/values/json-values.ts';
import { GLOBAL_NAMES, JinjaTemplate, RaisedException } from '../jinja/template.ts';
import { guardControlTokens } from './control-tokens.ts';
import { messageForms } from './message-forms.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';
import type { RenderChat } from './render-chat.ts';
import { withDescriptions, toolDefinition, type ToolDefinition } from '../tools/general-prompt.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Templates that require ids of nine characters check for that; Mistral's do. */
const WANTS_SHORT_IDS = /\|\s*length\s*(?:!=|<)\s*9\b/;
const SHORT_ID = 9;

/** More than any conversation takes that a model can read. */
const MOST_STEPS = 30_000_000;

/** Several times what real templates take. One that loops ends within a second, or a few if the request is long. */
function limits(messages: readonly TemplateMessage[], tools: unknown, options: unknown): Limits {
  const written = messages.reduce((sum, message) => sum + lengthOf(message), 0);
  const given = stringifyExact(tools ?? null).length + stringifyExact(options).length;
  const most = 10_000 * messages.length + 10 * given + written;
  return { steps: Math.min(300_000 + most, MOST_STEPS), characters: 1_000_000 + 2 * most };
}

function lengthOf({ content, reasoning = '', toolCalls = [] }: TemplateMessage): number {
  return toolCalls.reduce(
    (sum, call) => sum + call.arguments.length,
    content.length + reasoning.length,
  );
}

/** Characters of a refusal that clients see. */
const LONGEST_REASON = 1_000;

/** Thrown if a chat template refuses a conversation with `raise_exception`. The message is the template's. */
export class TemplateRefusal extends Error {}

/**
 * The model's own Jinja chat template, as a function. The function throws a TemplateRefusal if the template refuses
 * the messages in every form, or fails only with this request's input. It throws a ModelFileError if the template
 * fails with any input, and an ApiError 400 for an option that templates cannot have, or that this one cannot use.
 *
 * @throws ModelFileError if the template cannot be parsed
 */
export function chatTemplate(source: string, facts: TokenizerFacts): RenderChat {
  const render = templateRender(source, facts);
  const withTools =
    facts.toolTemplate === undefined ? render : templateRender(facts.toolTemplate, facts);
  const chosen: RenderChat = (messages, options, tools) => {
    checkNames(options);
    return (tools ? withTools : render)(messages, options, tools);
  };
  return guardControlTokens(chosen, facts.controlTokens);
}

function templateRender(source: string, facts: TokenizerFacts): RenderChat {
  const template = parsed(source);
  const idOf = WANTS_SHORT_IDS.test(source) ? shortId : (id: string) => id;
  const renderAs =
    (forms: Forms): RenderChat =>
    (messages, options, tools) =>
      renderFirstAccepted(messages, (form) => {
        const variables = {
          bos_token: facts.bosToken,
          eos_token: facts.eosToken,
          add_generation_prompt: true,
          ...options,
          messages: form.map((message) => templateMessage(message, idOf, forms)),
        };
        return withToolList(tools?.map(toolDefinition), (list) =>
          template.render(
            { ...variables, ...olderNames(source, list), tools: list },
            limits(form, list, options),
          ),
        );
      });
  const render = renderAs(knownForms(renderAs));
  return (messages, options, tools) => {
    try {
      return render(messages, options, tools);
    } catch (error) {
      // The template's code works, but not with this request's input.
      if (error instanceof ModelFileError && renders(render)) {
        const read = Object.entries(options).filter(([name]) => source.includes(name));
        checkValues(Object.fromEntries(read), (fewer) => render(messages, fewer, tools));
        throw new TemplateRefusal(`its code fails: ${messageOf(error.cause)}`, { cause: error });
      }
      throw error;
    }
  };
}

/** Firefunction's template has other names for the tools and the time, and needs both. */
function olderNames(source: string, tools: unknown[] | null) {
  if (!/\+ functions\b/.test(source)) return {};
  const datetime = new Date().toISOString().slice(0, 10);
  return { functions: stringifyExact(tools ?? []), datetime };
}

/**
 * Most templates expect null, not an empty list, if there are no tools; a few need a list. Some fail if a tool, or an
 * argument, has no description.
 */
function withToolList(
  tools: ToolDefinition[] | undefined,
  render: (tools: unknown[] | null) => string,
): string {
  try {
    return render(tools ?? null);
  } catch (error) {
    if (error instanceof RaisedException || error instanceof TemplateTooLong) throw error;
    return render(tools?.map(withDescriptions) ?? []);
  }
}

/** @throws ApiError 400 for an option with the name of something that templates are written with */
function checkNames(options: Record<string, unknown>): void {
  const name = Object.keys(options).find((each) => GLOBAL_NAMES.has(each));
  if (name === undefined) return;
  throw jobFault('template', 'is a name of the template language.', { path: `.${name}` });
}

/** @throws ApiError 400 for an option without which the template renders */
function checkValues(
  options: Record<string, unknown>,
  render: (options: Record<string, unknown>) => string,
): void {
  for (const name of Object.keys(options)) {
    const { [name]: _, ...others } = options;
    if (!succeeds(() => render(others))) continue;
    throw jobFault('template', 'has a value that the chat template cannot use.', {
      path: `.${name}`,
    });
  }
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** The forms in which a template expects a message's content, a call's arguments, and a thought. */
interface Forms {
  contentOf: (content: string) => unknown;
  argumentsOf: (json: string) => unknown;
  /** The fields of a message with a thought. */
  thoughtOf: (thought: string, content: string) => Record<string, unknown>;
}

/** The first is the most common. */
const THOUGHTS: readonly Forms['thoughtOf'][] = [
  (reasoning_content) => ({ reasoning_content }),
  (reasoning) => ({ reasoning }),
  (thinking) => ({ thinking }),
  (thinking, text) => ({
    content: [
      { type: 'thinking', thinking },
      { type: 'text', text },
    ],
  }),
];

const TEXTS: Forms = {
  contentOf: (content) => content,
  argumentsOf,
  thoughtOf: (reasoning_content) => ({ reasoning_content }),
};
const PARTS: Forms = { ...TEXTS, contentOf: (content) => [{ type: 'text', text: content }] };

const PROBE = 'slashv1';
const PROBED = 'probed';

/** Whether a template renders the simplest conversation. */
function renders(render: RenderChat): boolean {
  return succeeds(() => render([{ role: 'user', content: PROBE }], {}));
}

/**
 * Chooses the forms that a template shows: templates of vision models may only show contents that are lists of parts,
 * some only arguments that are JSON texts, and many only thoughts in a field that others do not read.
 */
function knownForms(renderAs: (forms: Forms) => RenderChat): Forms {
  const shows = (forms: Forms, ...messages: TemplateMessage[]) => {
    try {
      const text = renderAs(forms)([{ role: 'user', content: PROBE }, ...messages], {});
      // Some templates write contents that they do not know as JSON.
      return text.includes(PROBED) && !/["']thinking["']/.test(text);
    } catch {
      return false;
    }
  };
  const text: TemplateMessage = { role: 'user', content: PROBED };
  const forms = !shows(TEXTS, text) && shows(PARTS, text) ? PARTS : TEXTS;
  const called = (json: string) => [{ id: 'probeid01', name: PROBE, arguments: json }];
  const call: TemplateMessage = {
    role: 'assistant',
    content: '',
    toolCalls: called(JSON.stringify({ a: PROBED })),
  };
  const asTexts = { ...forms, argumentsOf: (json: string) => json };
  const known = !shows(forms, call) && shows(asTexts, call) ? asTexts : forms;
  // Most templates drop the thoughts of earlier turns, but keep one before a call.
  const thought: TemplateMessage = { role: 'assistant', content: PROBE, reasoning: PROBED };
  const calls: TemplateMessage[] = [
    { ...thought, content: '', toolCalls: called('{}') },
    { role: 'tool', content: PROBE, toolCallId: 'probeid01' },
  ];
  const thoughtOf = THOUGHTS.find(
    (each) =>
      shows({ ...known, thoughtOf: each }, ...calls) ||
      shows({ ...known, thoughtOf: each }, thought),
  );
  return thoughtOf ? { ...known, thoughtOf } : known;
}

function parsed(source: string): JinjaTemplate {
  try {
    return new JinjaTemplate(source);
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
      if (error instanceof TemplateTooLong) break;
    }
  }
  if (failure instanceof RaisedException)
    throw new TemplateRefusal(failure.message.slice(0, LONGEST_REASON));
  throw new ModelFileError('chat template', `failed: ${messageOf(failure)}`, { cause: failure });
}

/** A message in the form that Hugging Face's chat templates expect. */
function templateMessage(
  message: TemplateMessage,
  idOf: (id: string) => string,
  { contentOf, argumentsOf: valuesOf, thoughtOf }: Forms,
) {
  const { toolCalls, toolCallId, reasoning, content, ...rest } = message;
  const calls = toolCalls?.map(({ id, name, arguments: json }) => ({
    id: idOf(id),
    type: 'function',
    function: { name, arguments: valuesOf(json) },
  }));
  return {
    ...rest,
    content: contentOf(content),
    ...(reasoning !== undefined && thoughtOf(reasoning, content)),
    ...(calls && calls.length > 0 && { tool_calls: calls }),
    ...(toolCallId !== undefined && { tool_call_id: idOf(toolCallId) }),
  };
}

/** Nine letters and digits, always the same for the same id (FNV-1a, twice). An id that has them already stays. */
function shortId(id: string): string {
  if (/^[0-9A-Za-z]{9}$/.test(id)) return id;
  const digits = [0x811c9dc5, 0x01000193].map((seed) => {
    let hash = seed;
    for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    return (hash >>> 0).toString(36).padStart(7, '0');
  });
  return digits.join('').slice(-SHORT_ID);
}
