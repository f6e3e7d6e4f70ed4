import { promptFault } from '../../core/errors/errors.ts';
import type {
  AnswerFormat,
  GenerateJob,
  Prompt,
  TemplateMessage,
} from '../../core/operations/jobs/jobs.ts';
import { withoutBreakpoints } from '../../core/operations/prompt-caching.ts';
import type { NativeMessage } from './native-model.ts';

/** A conversation as the Prompt API takes it. */
export interface NativePrompt {
  /** What a session begins with: its system message, or nothing. */
  initialPrompts: NativeMessage[];
  messages: NativeMessage[];
}

/**
 * @param written - what another tab has written of the answer
 * @throws ApiError 400 for prompts that the Prompt API cannot express
 */
export function nativePrompt(prompt: Prompt, written = ''): NativePrompt {
  if (prompt.kind === 'raw') {
    throw unsupported("The browser's model takes messages, and no text: use chat/completions.");
  }
  const [first, ...rest] = prompt.messages.map(nativeMessage);
  const hasSystem = first?.role === 'system';
  const turns = hasSystem ? rest : prompt.messages.map(nativeMessage);
  if (turns.some(({ role }) => role === 'system')) {
    throw unsupported("The browser's model takes a system message only as the first one.");
  }
  const messages = turns.length > 0 ? turns : [{ role: 'user' as const, content: '' }];
  return {
    initialPrompts: hasSystem ? [first] : [],
    messages: withPrefix(messages, prompt.continuesFinal === true, written),
  };
}

function withPrefix(
  messages: NativeMessage[],
  continuesFinal: boolean,
  written: string,
): NativeMessage[] {
  const begun = continuesFinal ? (messages.at(-1)?.content ?? '') : '';
  const content = begun + written;
  if (content === '') return messages;
  const before = continuesFinal ? messages.slice(0, -1) : messages;
  return [...before, { role: 'assistant', content, prefix: true }];
}

function nativeMessage({ role, content, images, toolCalls }: TemplateMessage): NativeMessage {
  if (role === 'tool' || toolCalls) throw unsupported("The browser's model calls no tools.");
  if (images && images.length > 0) throw unsupported("The browser's model is shown no images.");
  return { role, content: withoutBreakpoints(content) };
}

function unsupported(message: string) {
  return promptFault(message, 'unsupported_value');
}

/** What the Prompt API takes as `responseConstraint`: a JSON Schema or a RegExp. */
export function constraintOf(format: GenerateJob['format']): object | undefined {
  return format && constraint(format);
}

function constraint(format: AnswerFormat): object {
  switch (format.type) {
    case 'json_object':
      return { type: 'object' };
    case 'json_schema':
      return schemaObject(format.schema);
    case 'pattern':
      return new RegExp(`^(?:${format.pattern})$`);
    case 'choice':
      return new RegExp(`^(?:${format.texts.map(escaped).join('|')})$`);
  }
}

/** JSON Schema's `true` and `false` as objects. */
function schemaObject(schema: unknown): object {
  if (typeof schema === 'object' && schema !== null) return schema;
  return schema === false ? { not: {} } : {};
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
