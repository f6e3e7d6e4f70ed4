/** Chat templates that think like those of their families, reduced to what matters here. */

interface Turn {
  /** Before an assistant's text; may use `m`, the message. */
  answer?: string;
  /** After an assistant's text. */
  end?: string;
  /** What a prompt ends with. */
  begun?: string;
  /** Before everything. */
  system?: string;
}

/** Conversations in marks; only assistants' messages and the end of a prompt differ from template to template. */
function template({ answer = '', end = '<|end|>', begun = '', system = '' }: Turn): string {
  return `${system}
{%- for m in messages %}
  {%- if m.role == 'assistant' %}
    {{- '<|assistant|>' }}${answer}{{- m.content }}
    {%- for c in m.tool_calls or [] %}{{- '<call>' + c.function.name + '</call>' }}{%- endfor %}
    {{- '${end}' }}
  {%- else %}{{- '<|' + m.role + '|>' + m.content + '<|end|>' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>' }}${begun}{%- endif %}`;
}

const thought = (field: string, open: string, close: string, condition = 'true') =>
  `{%- if m.${field} and (${condition}) %}{{- '${open}' + m.${field} + '${close}' }}{%- endif %}`;

export const THINKING_TEMPLATES = {
  plain: template({}),
  /** Writes the thoughts of every turn; the switch closes an empty one. */
  history: template({
    answer: thought('reasoning_content', '<think>\\n', '\\n</think>\\n\\n'),
    begun: `{{- '<think>\\n\\n</think>\\n\\n' if enable_thinking is false else '' }}`,
  }),
  /** Keeps only a thought before a call, and shows it in another field. */
  calls: template({
    answer: thought('thinking', '<seed:think>', '</seed:think>', 'm.tool_calls'),
    begun: `{{- '<seed:think>\\n</seed:think>' if thinking_budget == 0 else '' }}{{- thinking_budget if thinking_budget is defined and thinking_budget > 0 else '' }}`,
  }),
  /** Off unless it is turned on; every answer has a thought, perhaps an empty one. */
  always: template({
    answer: `{{- '<think>' + (m.reasoning or '') + '</think>' }}`,
    begun: `{{- '<think>' if thinking else '<think></think>' }}`,
  }),
  /** Prompts only open or close a thought. */
  prompts: template({ begun: `{{- '<think>' if enable_thinking else '</think>' }}` }),
  /** Only the system message says how to think: Phi-4-reasoning. */
  told: template({
    system: `{{- '<|system|>Structure your response: <think> {Thought section} </think> {Solution section}.<|end|>' }}`,
  }),
  /** Always thinks, and cuts thoughts off contents. */
  cuts: template({
    answer: `{%- set x = m.content.split('</think>') %}`,
    begun: `{{- '<think>\\n' }}`,
  }),
  onlyCuts: template({ answer: `{%- set x = m.content.split("[/THINK]") %}` }),
  /** Contents are parts. */
  parts: template({
    answer: `{%- if m.content is not string %}{%- for p in m.content %}{%- if p.type == 'thinking' %}{{- '[THINK]' + p.thinking + '[/THINK]' }}{%- endif %}{%- endfor %}{%- set m = {'content': m.content[1].text, 'tool_calls': m.tool_calls} %}{%- endif %}`,
  }),
  /** Marks around texts as well. */
  marked: template({
    answer: `${thought('reasoning_content', '<|START_THINKING|>', '<|END_THINKING|>')}{{- '<|START_TEXT|>' }}`,
    end: '<|END_TEXT|><|end|>',
    begun: `{{- '<|START_THINKING|>' if reasoning is undefined or reasoning else '<|START_THINKING|><|END_THINKING|>' }}`,
  }),
  /** Each part is a message of its own. */
  channels: template({
    answer: `${thought('reasoning_content', ' to=self<|message|>', '<|eom|><|assistant|>')}{{- ' to=user<|message|>' }}`,
    system: `{{- 'Strength: ' + (reasoning_strength or 'high') }}`,
  }),
  /** A thought ends as a question does, as gpt-oss' do. */
  turns: template({
    answer: thought('reasoning_content', '<|think|>', '<|end|><|assistant|>'),
  }),
  /** Marks with a word of several pieces, as Gemma 4's. */
  word: template({
    answer: thought('reasoning_content', '<|channel>thought\\n', '\\n<channel|>', 'm.tool_calls'),
    begun: `{{- '' if enable_thinking else '<|channel>thought\\n<channel|>' }}`,
  }),
  /** Says nothing, opens a thought, or closes one. */
  choice: template({
    begun: `{%- if enable_thinking is defined %}{{- '<think>\\n' if enable_thinking else '<think>\\n\\n</think>\\n\\n' }}{%- endif %}`,
  }),
  /** Every prompt ends with an empty thought. */
  never: template({ begun: `{{- '<think></think>' }}` }),
  /** Takes three values only, of which one turns thinking off. */
  efforts: template({
    answer: `{{- '<think:x>' + (m.reasoning_content or '') + '</think:x>' }}`,
    system: `{%- set effort = reasoning_effort if reasoning_effort is defined else 'no_think' %}{%- if effort not in ['no_think', 'low', 'high'] %}{{- raise_exception('no') }}{%- endif %}{{- effort }}`,
    begun: `{{- '<think:x></think:x>' if effort == 'no_think' else '<think:x>' }}`,
  }),
  /** Does not think; a recipient stands before texts. */
  recipient: template({ answer: `{{- '>>>all\\n' }}`, begun: `{{- '>>>' }}` }),
} satisfies Record<string, string>;
