import { withoutBreakpoints } from '../../../../src/core/operations/prompt-caching.ts';
import type { GenerateJob, Prompt, Tool } from '../../../../src/core/operations/jobs/jobs.ts';
import { finish, text, toolArguments, type Step } from '../../../contract/support/test-engine.ts';
import { CAPITAL, countTo, GREETING, PARIS } from '../prompts.ts';

/** Asks the scripted model to repeat the system message. */
export const WHAT_YOU_WERE_TOLD = 'What were you told?';

/** Asks the scripted model to call every function once, in the order in which they are offered. */
export const USE_EACH = 'Use each function once.';

/**
 * What the scripted model writes, a word at a time. It greets, knows one capital, counts, says what it is told to say,
 * continues an answer, calls the first function that is offered for Paris, and says what a function has returned.
 *
 * @param job - a job whose images have been read
 * @param pictures - `pictures` of Scenario
 */
export function said(job: GenerateJob, pictures: Record<string, string>): Step[] {
  const { prompt, tools, maxTokens = Number.POSITIVE_INFINITY } = job;
  const call = tools && tools.choice !== 'none' ? nextCall(prompt, tools.tools) : undefined;
  if (call) {
    const { id, name, given } = call;
    return [
      { type: 'tool-call', index: 0, id, name },
      toolArguments(0, given),
      finish('tool_calls'),
    ];
  }
  const words = answerTo(prompt, pictures).match(/\s*\S+/g) ?? [];
  const written = words.slice(0, maxTokens);
  const reason = written.length < words.length ? 'length' : 'stop';
  const usage = { promptTokens: 7, completionTokens: written.length, cachedTokens: 0 };
  const pieces = written.map((word, index) => ({ ...text(word), tokens: index + 1 }));
  return [...pieces, finish(reason, usage)];
}

function nextCall(prompt: Prompt, tools: readonly Tool[]) {
  if (prompt.kind !== 'chat') return undefined;
  const { messages } = prompt;
  if (!messages.some(({ content }) => content.includes(USE_EACH))) {
    const name = messages.at(-1)?.role === 'user' ? tools[0]?.name : undefined;
    return name === undefined ? undefined : { id: 'call_0', name, given: '{"city": "Paris"}' };
  }
  const place = messages.filter(({ role }) => role === 'tool').length;
  const tool = tools[place];
  return tool && { id: `call_${place}`, name: tool.name, given: argumentsFor(tool) };
}

/** Whatever is required is named after itself. */
function argumentsFor({ parameters: { required } }: Tool): string {
  const names = Array.isArray(required) ? required.map(String) : [];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, name])));
}

function answerTo(prompt: Prompt, pictures: Record<string, string>): string {
  if (prompt.kind === 'raw') return ' four, five, six.';
  const { messages } = prompt;
  const { role, content: marked = '', images: [image] = [] } = messages.at(-1) ?? {};
  const content = withoutBreakpoints(marked);
  if (role === 'assistant') {
    const whole = answerTo({ ...prompt, messages: messages.slice(0, -1) }, pictures);
    return whole.startsWith(content) ? whole.slice(content.length) : '';
  }
  if (role === 'tool') return `The function says: ${content}`;
  if (image) return pictures[pictureKey(image.file)] ?? 'Something else.';
  if (content === CAPITAL) return PARIS;
  if (content === WHAT_YOU_WERE_TOLD) return messages[0]?.content ?? '';
  const [, wanted] = /(?:^|\n)Say (.+)\.$/.exec(content) ?? [];
  const [, last] = /^Count to (\d+)\.$/.exec(content) ?? [];
  return wanted ?? (last === undefined ? GREETING : countTo(Number(last)));
}

/** Names a picture by the end of its file, because the service worker stores the script that contains the scenario. */
export function pictureKey(file: Uint8Array): string {
  return file.slice(-32).join();
}
