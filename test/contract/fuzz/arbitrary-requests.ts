import * as fc from 'fast-check';
import { MODEL } from '../support/api.ts';
import { CLIENT_REQUESTS } from '../clients/client-requests.ts';
import { NEWER_REQUESTS } from '../clients/newer-requests.ts';

/** A request's path below the base URL and its body as bytes. */
export interface RawRequest {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const FIELDS = [
  ...['model', 'messages', 'prompt', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
  ...['top_k', 'min_p', 'frequency_penalty', 'presence_penalty', 'repetition_penalty', 'stop'],
  ...['logit_bias', 'seed', 'stream', 'stream_options', 'n', 'tools', 'tool_choice', 'functions'],
  ...['function_call', 'response_format', 'logprobs', 'top_logprobs', 'audio', 'modalities'],
  ...['reasoning_effort', 'chat_template_kwargs', 'parallel_tool_calls', 'suffix', 'echo'],
  ...['best_of', 'user', '__proto__', 'constructor', 'toString', 'role', 'content', 'name'],
  ...['tool_calls', 'tool_call_id', 'type', 'text', 'function', 'json_schema', 'schema', 'strict'],
  ...['input', 'voice', 'speed', 'lang_code', 'instructions', 'stream_format', 'id'],
  ...['max_output_tokens', 'store', 'previous_response_id', 'include', 'reasoning', 'truncation'],
  ...[
    'metadata',
    'item_reference',
    'call_id',
    'output',
    'summary',
    'system',
    'thinking',
    'stop_token_ids',
  ],
  ...['tool_use_id', 'input_schema', 'output_config', 'stop_sequences', 'tokens', 'guided_regex'],
  ...['guided_choice', 'structured_outputs', 'min_tokens', 'ignore_eos', 'return_progress'],
  ...['encoding_format', 'dimensions', 'input_type', 'query', 'documents', 'top_n', 'rank_fields'],
  ...['include_usage', 'enable_thinking', 'arguments', 'properties', 'items', 'anyOf', '$ref'],
];

/** Numbers at the limits of what fields accept, and numbers that JSON parsers read differently. */
const NUMERALS = [
  ...['0', '-0', '1', '-1', '2', '0.5', '1.5', '-2', '100', '101', '1e2', '1E+2', '0.1e-400'],
  ...['2147483648', '-2147483649', '9007199254740993', '1e21', '1e300', '1e999', '-1e999'],
];

const LONE_SURROGATES = ['\ud83d', '\ude00', 'a\udfffb', '\udc00\ud800'];

const textUnit = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.constantFrom(...LONE_SURROGATES, '\0', '', ' ', '\u2028', '\ufeff', '<|im_end|>', '{{ x }}'),
  fc.constantFrom(
    'text',
    'user',
    'auto',
    'json_object',
    'function',
    MODEL,
    'true',
    'null',
    '__proto__',
  ),
  fc.constantFrom('long '.repeat(5_000), '😀'.repeat(2_000)),
);

/** Any JSON text, written as oddly as JSON allows. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json' },
    textUnit.map((value) => JSON.stringify(value)),
    fc.constantFrom(...NUMERALS),
    fc.constantFrom('true', 'false', 'null', '[]', '{}'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'json' }).map(arrayText),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...FIELDS), textUnit), tie('value')), {
        maxLength: 4,
        depthIdentifier: 'json',
      })
      .map(objectText),
    // Deep, and wide.
    fc
      .tuple(fc.constantFrom(50, 2_000), tie('value'))
      .map(([depth, value]) => '['.repeat(depth) + value + ']'.repeat(depth)),
    fc
      .tuple(fc.constantFrom(10, 2_000), tie('value'))
      .filter(([count, value]) => count * value.length < 50_000)
      .map(([count, value]) => arrayText(Array.from({ length: count }, () => value))),
  ),
})).value;

function arrayText(items: string[]): string {
  return `[${items.join()}]`;
}

/** Members may have the same name: JSON parsers take the last one. */
function objectText(members: [name: string, value: string][]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}

/** A JSON value as a tree whose leaves are JSON texts. */
type Tree = { text: string } | { items: Tree[] } | { members: [string, Tree][] };

function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { items: value.map(treeOf) };
  if (typeof value !== 'object' || value === null) return { text: JSON.stringify(value) };
  return { members: Object.entries(value).map(([name, of]) => [name, treeOf(of)]) };
}

function textOf(tree: Tree): string {
  if ('text' in tree) return tree.text;
  if ('items' in tree) return arrayText(tree.items.map(textOf));
  return objectText(tree.members.map(([name, of]) => [name, textOf(of)]));
}

interface Mutation {
  /** The index of the child to descend into, level by level; ends early if there is no child. */
  path: number[];
  kind: 'replace' | 'remove' | 'add' | 'repeat' | 'wrap' | 'rename';
  name: string;
  value: string;
}

const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }),
  kind: fc.constantFrom('replace', 'remove', 'add', 'repeat', 'wrap', 'rename'),
  name: fc.oneof(fc.constantFrom(...FIELDS), textUnit),
  value: jsonText,
});

function mutated(tree: Tree, { path, ...mutation }: Mutation): Tree {
  const [pick = 0, ...below] = path;
  if ('text' in tree) return { text: mutation.value };
  const names = 'members' in tree ? tree.members.map(([name]) => name) : undefined;
  const children = 'members' in tree ? tree.members.map(([, of]) => of) : tree.items;
  const index = children.length === 0 ? 0 : pick % children.length;
  const child = children[index];
  const change = (...by: [string, Tree][]): Tree => {
    const next = children.map((of, at): [string, Tree] => [names?.[at] ?? '', of]);
    next.splice(index, 1, ...by);
    return names ? { members: next } : { items: next.map(([, of]) => of) };
  };
  const name = names?.[index] ?? '';
  const value: Tree = { text: mutation.value };
  if (!child) return change([mutation.name, value]);
  if (below.length > 0 && !('text' in child)) {
    return change([name, mutated(child, { path: below, ...mutation })]);
  }
  switch (mutation.kind) {
    case 'replace':
      return change([name, value]);
    case 'remove':
      return change();
    case 'add':
      return change([name, child], [mutation.name, value]);
    case 'repeat':
      return change([name, child], [name, child]);
    case 'wrap':
      return change([name, { items: [child] }]);
    case 'rename':
      return change([mutation.name, child]);
  }
}

const trees = [...CLIENT_REQUESTS, ...NEWER_REQUESTS, ...NEWER_REQUESTS].map(({ path, body }) => ({
  path,
  tree: treeOf(body),
}));
const valid = fc.constantFrom(...trees);
const encode = (text: string) => new TextEncoder().encode(text);

/** A client's request with a few changes. */
export const nearlyRight: fc.Arbitrary<RawRequest> = fc
  .tuple(valid, fc.array(anyMutation, { minLength: 1, maxLength: 4 }))
  .map(([{ path, tree }, mutations]) => ({
    path,
    bytes: encode(textOf(mutations.reduce(mutated, tree))),
  }));

/** A body of the usual fields, each with any value. */
export const anyFields: fc.Arbitrary<RawRequest> = fc
  .tuple(
    fc.constantFrom(
      ...['/chat/completions', '/completions', '/audio/speech', '/responses', '/messages'],
      ...['/tokenize', '/messages/count_tokens', '/responses/input_tokens'],
      ...['/embeddings', '/rerank'],
    ),
    fc.array(fc.tuple(fc.constantFrom(...FIELDS), jsonText), { maxLength: 5 }),
  )
  .map(([path, members]) => ({
    path,
    bytes: encode(
      objectText([
        ['model', JSON.stringify(MODEL)],
        ['messages', '[{"role":"user","content":"Hi"}]'],
        ['prompt', '"Hi"'],
        ['input', '"Hi"'],
        ['voice', '"ann"'],
        ['query', '"Hi"'],
        ['documents', '["Hi"]'],
        ['max_tokens', '5'],
        ...members,
      ]),
    ),
  }));

type Damage = (bytes: Uint8Array<ArrayBuffer>, at: number, byte: number) => Uint8Array<ArrayBuffer>;

const DAMAGES: Damage[] = [
  (bytes, at) => bytes.slice(0, at),
  (bytes, at) => bytes.slice(at),
  (bytes, at, byte) => bytes.map((old, index) => (index === at ? byte : old)),
  (bytes, at) => Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1)]),
  (bytes, at, byte) => Uint8Array.from([...bytes.slice(0, at), byte, ...bytes.slice(at)]),
  (bytes) => Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes]),
  // UTF-16, without and with a byte order mark.
  (bytes) => Uint8Array.from([...bytes].flatMap((byte) => [byte, 0])),
  (bytes) => Uint8Array.from([0xff, 0xfe, ...[...bytes].flatMap((byte) => [byte, 0])]),
  // UTF-8 of UTF-8.
  (bytes) => encode(String.fromCharCode(...bytes)),
];

/** A client's request with damaged bytes, or bytes that are not JSON. */
export const damaged: fc.Arbitrary<RawRequest> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(valid, fc.nat(), fc.nat(255), fc.constantFrom(...DAMAGES))
      .map(([{ path, tree }, at, byte, damage]) => {
        const bytes = encode(textOf(tree));
        return { path, bytes: damage(bytes, at % bytes.length, byte) };
      }),
  },
  fc
    .tuple(valid, fc.uint8Array({ maxLength: 200 }))
    .map(([{ path }, bytes]) => ({ path, bytes: Uint8Array.from(bytes) })),
  fc.tuple(valid, jsonText).map(([{ path }, text]) => ({ path, bytes: encode(text) })),
);
