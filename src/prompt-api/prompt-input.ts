import { notSupported } from './exceptions.ts';

/** A message as the HTTP API takes it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

interface GivenContent {
  type: string;
  value: unknown;
}

/** A message from a page, with its members converted as in Web IDL. */
export interface GivenMessage {
  role: ChatMessage['role'];
  content: GivenContent[];
  prefix: boolean;
}

const ROLES: readonly string[] = ['system', 'user', 'assistant'];
export const CONTENT_TYPES: readonly string[] = [
  ...['text', 'image', 'audio', 'tool-call', 'tool-response'],
];

/**
 * Converts a page's input: everything that is not a sequence becomes a string.
 *
 * @throws TypeError
 */
export function convertPrompt(input: unknown): GivenMessage[] {
  if (!isIterable(input)) return [user(String(input))];
  const messages = Array.from(input, convertMessage);
  return messages.length > 0 ? messages : [user('')];
}

function user(value: string): GivenMessage {
  return { role: 'user', content: [{ type: 'text', value }], prefix: false };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function convertMessage(given: unknown): GivenMessage {
  const { role, content, prefix } = members(given, 'A message');
  const name = String(role);
  if (!isRole(name)) throw new TypeError(`'${name}' is no role: use system, user or assistant.`);
  if (content === undefined) throw new TypeError("A message needs a 'content'.");
  return { role: name, content: convertContent(content), prefix: Boolean(prefix) };
}

function isRole(name: string): name is ChatMessage['role'] {
  return ROLES.includes(name);
}

function convertContent(given: unknown): GivenContent[] {
  if (!isIterable(given)) return [{ type: 'text', value: String(given) }];
  return Array.from(given, (each) => {
    const { type, value } = members(each, 'A content');
    if (!CONTENT_TYPES.includes(String(type))) {
      throw new TypeError(`'${String(type)}' is no type of content.`);
    }
    if (value === undefined) throw new TypeError("A content needs a 'value'.");
    return { type: String(type), value: convertValue(value) };
  });
}

function convertValue(value: unknown): unknown {
  return isObject(value) ? value : String(value);
}

function members(value: unknown, what: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new TypeError(`${what} must be an object.`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Messages that a session may take, and whether the answer continues the last one. */
export interface CheckedPrompt {
  messages: ChatMessage[];
  continues: boolean;
}

/**
 * Checks messages against the rules of the API.
 *
 * @param follows - whether the session has messages already
 * @throws TypeError for a system message that is not the first; DOMException `SyntaxError` for a `prefix` elsewhere
 *   than at the end, `NotSupportedError` for content that is not text
 */
export function checkPrompt(given: GivenMessage[], follows: boolean): CheckedPrompt {
  for (const [index, { role, prefix }] of given.entries()) {
    const isLast = index === given.length - 1;
    if (prefix && (role !== 'assistant' || !isLast)) {
      throw new DOMException("'prefix' is for an assistant's message at the end.", 'SyntaxError');
    }
    if (role === 'system' && (follows || index > 0)) {
      throw new TypeError('A system message must be the first message of a session.');
    }
  }
  const messages = given.map(({ role, content }) => ({ role, content: textOf(content) }));
  const last = messages.at(-1);
  const continues = given.at(-1)?.prefix === true;
  // There is nothing to continue.
  if (continues && last?.content === '')
    return { messages: messages.slice(0, -1), continues: false };
  return { messages, continues };
}

function textOf(contents: GivenContent[]): string {
  return contents
    .map(({ type, value }) => {
      if (type !== 'text') throw notSupported(`Content of type '${type}' is not supported.`);
      if (typeof value !== 'string')
        throw new TypeError("A content of type 'text' must be a string.");
      return value;
    })
    .join('');
}
