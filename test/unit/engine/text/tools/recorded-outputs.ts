import type { Family } from './known-call-formats.ts';

/** What a model wrote, the text in it, and the calls in it: names and the JSON of their arguments. */
export interface Output {
  output: string;
  text: string;
  calls: [name: string, json: string][];
}

/** The tools on offer wherever these were written. */
export const NAMES = ['get_weather', 'get_time', 'get'];

const BERN = '{"city": "Bern"}';
const HARD = String.raw`{"a": "}]{[\"\\", "b": {"c": [1, {"d": "</tool_call>"}]}, "e": "é😀"}`;

function calls(output: string, ...made: Output['calls']): Output {
  return { output, text: '', calls: made };
}

function mixed(output: string, text: string, ...made: Output['calls']): Output {
  return { output, text, calls: made };
}

/** Outputs without calls, although some look like calls. */
function texts(...outputs: string[]): Output[] {
  return outputs.map((output) => ({ output, text: output, calls: [] }));
}

/** Outputs in the forms in which each family's models were seen to write, and such outputs with errors. */
export const RECORDED: Record<Family, Output[]> = {
  hermes: [
    calls(`<tool_call>\n{"name": "get_weather", "arguments": ${BERN}}\n</tool_call>`, [
      'get_weather',
      BERN,
    ]),
    calls(`<tool_call>{"name":"get_weather","arguments":${BERN}}</tool_call>`, [
      'get_weather',
      BERN,
    ]),
    mixed(
      'Let me see.\n\n<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>\n' +
        `<tool_call>\n{"name": "get", "arguments": ${HARD}}\n</tool_call>\n`,
      'Let me see.',
      ['get_time', '{}'],
      ['get', HARD],
    ),
    mixed(
      '<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>' +
        '<tool_call>{"name": "get_time", "arguments": {}}</tool_call>\nDone.',
      '\nDone.',
      ['get', '{}'],
      ['get_time', '{}'],
    ),
    // Cut in the middle of the arguments, after them, and in the middle of the end.
    calls('<tool_call>\n{"name": "get", "arguments": {"a": "b', ['get', '{"a": "b']),
    calls('<tool_call>\n{"name": "get", "arguments": {}', ['get', '{}']),
    calls('<tool_call>\n{"name": "get", "arguments": {}}\n</tool_', ['get', '{}']),
    mixed(
      '<tool_call><tool_call>{"name": "get", "arguments": {}}</tool_call> <b>',
      '<tool_call> <b>',
      ['get', '{}'],
    ),
    // The arguments are not followed by an end, so the rest is text.
    mixed(
      '<tool_call>{"name": "get", "arguments": {}, "id": 1}</tool_call>',
      ', "id": 1}</tool_call>',
      ['get', '{}'],
    ),
    ...texts(
      'a < b, <tool>, <tool_call',
      '<tool_call>\n',
      '<tool_call>\n{"name": "get_we',
      '<tool_call>\n{"name": "get_weather"}\n</tool_call>',
      '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>',
      '<tool_call>\n{"name": "get", "arguments": "x"}\n</tool_call>',
      '<tool_call>\n{"name": "get", "arguments": ',
      '<tool_call>get()</tool_call>',
      'Hello.  \n',
      ' \n Hello',
      '{"name": "get", "arguments": {}}',
    ),
  ],
  llama: [
    calls(`{"name": "get_weather", "parameters": ${BERN}}`, ['get_weather', BERN]),
    calls(`{"name":"get_weather","arguments":${BERN}}`, ['get_weather', BERN]),
    calls(`{"name": "get", "parameters": ${HARD}}`, ['get', HARD]),
    mixed('I use: {"name": "get", "parameters": {}} now', 'I use: now', ['get', '{}']),
    ...texts(
      '{"name": "Ann", "age": 3}',
      '{"name": "get", "age": 3}',
      '{"name": "get", "parameters": []}',
      '<|python_tag|>get.call(query="x")',
      '{ "a": {"name": "get"',
      'A set {1, 2}; {"name": "',
    ),
  ],
  llamaPython: [
    calls('[get_weather(city="Bern", days=3)]', ['get_weather', '{"city": "Bern", "days": 3}']),
    calls(
      "[get_time(), get(a=[1, -2.5], b={'c': None, \"d\": (True, False)}, e='')]",
      ['get_time', '{}'],
      ['get', '{"a": [1, -2.5], "b": {"c": null, "d": [true, false]}, "e": ""}'],
    ),
    calls(String.raw`[get(a='it\'s "x" )]', b="\u00e9\n\x41\d\\", c = 1_000 , d=true)]`, [
      'get',
      String.raw`{"a": "it's \"x\" )]", "b": "\u00e9\n\u0041\\d\\", "c": 1000, "d": true}`,
    ]),
    calls('[get("a-b"=red)]', ['get', '{"a-b": "red"}']),
    mixed('So: [get(a="x', 'So:', ['get', '{"a": "x']),
    ...texts(
      '[1, 2] and [a link](https://x.y)',
      '[nothing(a=1)]',
      '[get]',
      '[get_weather',
      'get(a=1)',
    ),
  ],
  mistral: [
    calls(
      `[TOOL_CALLS] [{"name": "get_weather", "arguments": ${BERN}, "id": "VvvODy9mT"}, ` +
        `{"name": "get", "arguments": ${HARD}, "id": "Aa0000001"}]`,
      ['get_weather', BERN],
      ['get', HARD],
    ),
    calls(`[TOOL_CALLS][{"name":"get_weather","arguments":${BERN},"id":"VvvODy9mT"}]`, [
      'get_weather',
      BERN,
    ]),
    ...texts('[TOOL_CALLS] []', '[TOOL_CALLS] [{"name": "x"}]', '[1] [TOOL]'),
  ],
  mistralArgs: [
    mixed(
      `Yes. [TOOL_CALLS]get_weather[ARGS]${BERN}[TOOL_CALLS]get[ARGS]${HARD}`,
      'Yes.',
      ['get_weather', BERN],
      ['get', HARD],
    ),
    ...texts('[TOOL_CALLS]none[ARGS]{}', '[TOOL_CALLS]get{}', '[TOOL_CALLS]get_time'),
  ],
};
