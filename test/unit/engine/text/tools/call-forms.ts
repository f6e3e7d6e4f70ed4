/** Chat templates that differ only in how they write calls: one of each form that models are trained on. */

/** @param calls - the template of a message's calls */
function chatml(calls: string): string {
  return `
{%- for tool in tools or [] %}{{- tool | tojson + '\\n' }}{%- endfor %}
{%- for message in messages %}
  {{- '<|im_start|>' + message.role + '\\n' + message.content }}
  {%- if message.tool_calls %}${calls}{%- endif %}
  {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;
}

/** @param call - the template of one call, with `name`, `args` and the loop's variables */
function each(call: string): string {
  return `{%- for call in message.tool_calls %}{%- set name = call.function.name %}{%- set args = call.function.arguments %}${call}{%- endfor %}`;
}

const COMMA = "{%- if not loop.last %}{{- ', ' }}{%- endif %}";
const TEXT = '{{- (value if value is string else value | tojson) }}';

/** @param member - the template of an argument, with `key` and `value` */
function members(member: string): string {
  return `{%- for key, value in args | items %}${member}{%- endfor %}`;
}

/** A value with bare names and marks around strings, three objects deep. */
const BARE = `
{%- macro bare(value) %}
  {%- if value is string %}{{- '<|"|>' + value + '<|"|>' }}
  {%- elif value is mapping %}{{- '{' }}{%- for k, v in value | items %}{{- k + ':' }}{{- bare(v) }}{%- if not loop.last %}{{- ',' }}{%- endif %}{%- endfor %}{{- '}' }}
  {%- elif value is iterable %}{{- '[' }}{%- for v in value %}{{- bare(v) }}{%- if not loop.last %}{{- ',' }}{%- endif %}{%- endfor %}{{- ']' }}
  {%- else %}{{- value | tojson }}{%- endif %}
{%- endmacro %}`;

/** @param sign - before each mark of an argument, of an element in it and of a call */
function elements(sign: string): string {
  const mark = (name: string, slash = '') => `'${sign}<${slash}' + ${name} + '>'`;
  return `
{%- macro element(value) %}
  {%- if value is mapping %}{%- for k, v in value | items %}{{- ${mark('k')} }}{{- element(v) }}{{- ${mark('k', '/')} }}{%- endfor %}
  {%- elif value is iterable and value is not string %}{%- for v in value %}{{- ${mark("'item'")} }}{{- element(v) }}{{- ${mark("'item'", '/')} }}{%- endfor %}
  {%- elif value is string %}{{- value }}
  {%- elif value is not none %}{{- value | tojson }}{%- endif %}
{%- endmacro %}${chatml(
    `{{- '${sign}<tool_call>\n' }}${each(`{{- '${sign}<invoke name="' + name + '">' }}{{- element(args) }}{{- '${sign}</invoke>\n' }}`)}{{- '${sign}</tool_call>' }}`,
  )}`;
}

/** Form → template. */
export const CALL_FORMS = {
  /** Hermes, Qwen 2.5 and 3. */
  'a JSON object in marks': chatml(
    each(
      `{{- '<tool_call>\\n{"name": "' + name + '", "arguments": ' + args | tojson + '}\\n</tool_call>' }}{%- if not loop.last %}{{- '\\n' }}{%- endif %}`,
    ),
  ),
  /** Mistral Nemo. */
  'a list of JSON objects with ids': chatml(
    `{{- '[TOOL_CALLS] [' }}${each(`{{- '{"name": "' + name + '", "arguments": ' + args | tojson + ', "id": "' + call.id + '"}' }}${COMMA}`)}{{- ']' }}`,
  ),
  /** Command R. */
  'a list of JSON objects with numbers': chatml(
    `{{- '<|START_ACTION|>[\\n' }}${each(`{{- '    {"tool_call_id": "' + loop.index0 | string + '", "tool_name": "' + name + '", "parameters": ' + args | tojson + '}' }}{%- if not loop.last %}{{- ',\\n' }}{%- endif %}`)}{{- '\\n]<|END_ACTION|>' }}`,
  ),
  /** Apertus. */
  'objects with the name as their key': chatml(
    `{{- '<|tools_prefix|>[' }}${each(`{{- '{"' + name + '": ' + args | tojson + '}' }}${COMMA}`)}{{- ']<|tools_suffix|>' }}`,
  ),
  /** Kimi K2. */
  'a numbered name in marks': chatml(
    `{{- '<|calls_begin|>' }}${each(`{{- '<|call_begin|>functions.' + name + ':' + loop.index0 | string + '<|args_begin|>' + args | tojson + '<|call_end|>' }}`)}{{- '<|calls_end|>' }}`,
  ),
  /** Mistral Small 3.2. */
  'a name and an id in marks': chatml(
    each(`{{- '[TOOL_CALLS]' + name + '[CALL_ID]' + call.id + '[ARGS]' + args | tojson }}`),
  ),
  /** Solar. */
  'an id and a name in marks': chatml(
    `{{- '<|calls|>' }}${each(`{{- '<|call|>' + call.id + '<|name|>' + name + '<|args|>' + args | tojson + '<|end|>' }}`)}{{- '<|done|>' }}`,
  ),
  /** Qwen 3 Coder. */
  'tagged values on lines': chatml(
    each(
      `{{- '\\n<tool_call>\\n<function=' + name + '>\\n' }}${members(`{{- '<parameter=' + key + '>\\n' }}${TEXT}{{- '\\n</parameter>\\n' }}`)}{{- '</function>\\n</tool_call>' }}`,
    ),
  ),
  /** GLM 4. */
  'keys and values in tags': chatml(
    each(
      `{{- '\\n<tool_call>' + name + '\\n' }}${members(`{{- '<arg_key>' + key + '</arg_key>\\n<arg_value>' }}${TEXT}{{- '</arg_value>\\n' }}`)}{{- '</tool_call>' }}`,
    ),
  ),
  /** DeepSeek V3.2. */
  'tagged values that tell strings': chatml(
    `{{- '\\n\\n<｜DSML｜calls>\\n' }}${each(`{{- '<｜DSML｜invoke name="' + name + '">\\n' }}${members(`{{- '<｜DSML｜parameter name="' + key + '" string="' + ('true' if value is string else 'false') + '">' }}${TEXT}{{- '</｜DSML｜parameter>\\n' }}`)}{{- '</｜DSML｜invoke>\\n' }}`)}{{- '</｜DSML｜calls>' }}`,
  ),
  /** LFM2. */
  'Python calls': chatml(
    `{{- '<|tool_call_start|>[' }}${each(`{{- name + '(' }}${members(`{{- key + '=' }}{{- (value | tojson if value is string or value is mapping else value | string) }}${COMMA}`)}{{- ')' }}${COMMA}`)}{{- ']<|tool_call_end|>' }}`,
  ),
  /** Gemma 4. */
  'bare names and marked strings': `${BARE}${chatml(
    each(
      `{{- '<|tool_call>call:' + name + '{' }}${members(`{{- key + ':' }}{{- bare(value) }}{%- if not loop.last %}{{- ',' }}{%- endif %}`)}{{- '}<tool_call|>' }}`,
    ),
  )}`,
  /** Nested XML. */
  'an element for each argument': elements(''),
  /** MiniMax M3. */
  'elements with a sign before each mark': elements(']<]minimax[>['),
} as const;

export type CallForm = keyof typeof CALL_FORMS;

/** The template of a form, of a model that thinks aloud. */
export function thinkingForm(form: CallForm): string {
  const said = '+ message.content }}';
  const thought =
    "}}{%- if message.reasoning_content %}{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}{%- endif %}{{- message.content }}";
  return CALL_FORMS[form].replace(said, thought);
}
