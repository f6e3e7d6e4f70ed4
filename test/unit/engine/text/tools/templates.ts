/** Chat templates like those of their families, reduced to what matters here and to what they insist on. */

const QWEN = `
{%- if tools %}
  {{- '<|im_start|>system\\n' }}
  {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
  {{- '# Tools\\n<tools>' }}
  {%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}
  {{- '\\n</tools>\\nCall them so:\\n<tool_call>\\n{"name": <function-name>, "arguments": <args-json-object>}\\n</tool_call><|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}
  {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
  {%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
  {%- elif message.role == 'assistant' %}
    {{- '<|im_start|>assistant' }}
    {%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
    {%- for tool_call in message.tool_calls %}
      {%- if tool_call.function is defined %}{%- set tool_call = tool_call.function %}{%- endif %}
      {{- '\\n<tool_call>\\n{"name": "' }}{{- tool_call.name }}{{- '", "arguments": ' }}
      {{- tool_call.arguments | tojson }}{{- '}\\n</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
  {%- elif message.role == 'tool' %}
    {%- if loop.index0 == 0 or messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}
    {{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' }}
    {%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\\n' }}{%- endif %}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

/** One call in a message, tools in the first user message, results as an object of their own. */
const LLAMA = `
{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}
  {%- set system_message = messages[0]['content'] | trim %}{%- set messages = messages[1:] %}
{%- else %}{%- set system_message = '' %}{%- endif %}
{{- '<|start_header_id|>system<|end_header_id|>\\n\\n' + system_message + '<|eot_id|>' }}
{%- if tools is not none %}
  {%- if messages | length == 0 %}{{- raise_exception('No first user message!') }}{%- endif %}
  {{- '<|start_header_id|>user<|end_header_id|>\\n\\nRespond in the format {"name": function name, "parameters": dictionary of argument name and its value}.\\n\\n' }}
  {%- for t in tools %}{{- t | tojson(indent=4) }}{{- '\\n\\n' }}{%- endfor %}
  {{- messages[0]['content'] | trim + '<|eot_id|>' }}{%- set messages = messages[1:] %}
{%- endif %}
{%- for message in messages %}
  {%- if 'tool_calls' in message %}
    {%- if message.tool_calls | length != 1 %}{{- raise_exception('This model only supports single tool-calls at once!') }}{%- endif %}
    {%- set tool_call = message.tool_calls[0].function %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n{"name": "' + tool_call.name + '", "parameters": ' }}
    {{- tool_call.arguments | tojson }}{{- '}<|eot_id|>' }}
  {%- elif message.role == 'tool' %}
    {{- '<|start_header_id|>ipython<|end_header_id|>\\n\\n' }}{{- {'output': message.content} | tojson }}{{- '<|eot_id|>' }}
  {%- else %}
    {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' + message.content | trim + '<|eot_id|>' }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}`;

const LLAMA_PYTHON = `
{%- if tools is not none %}
  {{- 'Respond in the format [func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)]\\n' }}
  {%- for t in tools %}{{- t | tojson }}{{- '\\n' }}{%- endfor %}
{%- endif %}
{%- for message in messages %}
  {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' }}
  {%- if 'tool_calls' in message %}
    {{- '[' }}
    {%- for tool_call in message.tool_calls %}
      {{- tool_call.function.name + '(' }}
      {%- for name, value in tool_call.function.arguments | items %}
        {{- name + '=' }}{{- value | tojson }}{%- if not loop.last %}{{- ', ' }}{%- endif %}
      {%- endfor %}
      {{- ')' }}{%- if not loop.last %}{{- ', ' }}{%- endif %}
    {%- endfor %}
    {{- ']' }}
  {%- else %}{{- message.content | trim }}{%- endif %}
  {{- '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}`;

/** No system messages but the first, roles in turn, ids of nine characters. */
const MISTRAL = `
{{- bos_token }}
{%- if messages[0].role == 'system' %}{%- set system_message = messages[0].content %}{%- set messages = messages[1:] %}{%- endif %}
{%- set ns = namespace(index=0) %}
{%- for message in messages if not (message.role == 'tool' or message.tool_calls is defined) %}
  {%- if (message.role == 'user') != (ns.index % 2 == 0) %}{{- raise_exception('Roles must alternate') }}{%- endif %}
  {%- set ns.index = ns.index + 1 %}
{%- endfor %}
{%- for message in messages %}
  {%- if message.role == 'user' %}
    {%- if tools is not none and loop.first %}{{- '[AVAILABLE_TOOLS] ' }}{{- tools | tojson }}{{- '[/AVAILABLE_TOOLS]' }}{%- endif %}
    {{- '[INST] ' + message.content + '[/INST]' }}
  {%- elif message.tool_calls is defined %}
    {{- '[TOOL_CALLS] [' }}
    {%- for tool_call in message.tool_calls %}
      {%- set out = tool_call.function | tojson %}{{- out[:-1] }}
      {%- if tool_call.id | length != 9 %}{{- raise_exception('Tool call IDs should be alphanumeric strings with length 9!') }}{%- endif %}
      {{- ', "id": "' + tool_call.id + '"}' }}{%- if not loop.last %}{{- ', ' }}{%- endif %}
    {%- endfor %}
    {{- ']' + eos_token }}
  {%- elif message.role == 'tool' %}
    {%- if message.tool_call_id | length != 9 %}{{- raise_exception('Tool call IDs should be alphanumeric strings with length 9!') }}{%- endif %}
    {{- '[TOOL_RESULTS] {"content": ' + message.content + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' }}
  {%- else %}{{- ' ' + message.content + eos_token }}{%- endif %}
{%- endfor %}`;

const MISTRAL_ARGS = `
{{- bos_token }}{%- if tools %}{{- '[AVAILABLE_TOOLS]' + (tools | tojson) + '[/AVAILABLE_TOOLS]' }}{%- endif %}
{%- for message in messages %}
  {%- if message.role == 'assistant' %}
    {{- message.content }}
    {%- for call in message.tool_calls or [] %}{{- '[TOOL_CALLS]' + call.function.name + '[ARGS]' }}{{- call.function.arguments | tojson }}{%- endfor %}
    {{- eos_token }}
  {%- elif message.role == 'tool' %}{{- '[TOOL_RESULTS]' + message.content + '[/TOOL_RESULTS]' }}
  {%- else %}{{- '[INST]' + message.content + '[/INST]' }}{%- endif %}
{%- endfor %}`;

/** Tagged values, like Qwen 3 Coder's. */
const XML = `
{%- for tool in tools or [] %}{{- '<function>' + tool.function.name + '</function>\\n' }}{%- endfor %}
{%- for message in messages %}
  {{- '<|im_start|>' + message.role + '\\n' + message.content }}
  {%- for call in message.tool_calls or [] %}
    {{- '<tool_call>\\n<function=' + call.function.name + '>\\n' }}
    {%- for name, value in call.function.arguments | items %}{{- '<parameter=' + name + '>\\n' + value | string + '\\n</parameter>\\n' }}{%- endfor %}
    {{- '</function>\\n</tool_call>' }}
  {%- endfor %}
  {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

/** Supports tools, but writes only how many arguments a call has: nothing can read that. */
const ODD = `
{%- for tool in tools or [] %}{{- '<function>' + tool.function.name + '</function>\\n' }}{%- endfor %}
{%- for message in messages %}
  {{- '<|im_start|>' + message.role + '\\n' + message.content }}
  {%- for call in message.tool_calls or [] %}{{- call.function.name + '/' }}{{- call.function.arguments | length }}{%- endfor %}
  {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

/** Does not support tools, and has a default system message, like SmolLM2's. */
const PLAIN = `
{%- for message in messages %}
  {%- if loop.first and messages[0].role != 'system' %}{{- '<|im_start|>system\\nYou are a helpful AI assistant named SmolLM<|im_end|>\\n' }}{%- endif %}
  {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

/** Supports neither tools nor system messages, and insists that user and assistant alternate, like Gemma's. */
const STRICT = `
{{- bos_token }}
{%- for message in messages %}
  {%- if message.role not in ['user', 'assistant'] %}{{- raise_exception('Only user and assistant roles are supported') }}{%- endif %}
  {%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}{{- raise_exception('Roles must alternate') }}{%- endif %}
  {{- '<start_of_turn>' + message.role + '\\n' + message.content | trim + '<end_of_turn>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<start_of_turn>assistant\\n' }}{%- endif %}`;

export const TEMPLATES = {
  QWEN,
  LLAMA,
  LLAMA_PYTHON,
  MISTRAL,
  MISTRAL_ARGS,
  XML,
  ODD,
  PLAIN,
  STRICT,
} as const;
