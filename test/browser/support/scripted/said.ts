import type { GenerateJob, Prompt } from '../../../../src/core/operations/jobs.ts';
import { finish, text, toolArguments, toolCall, type Step } from '../../../contract/test-engine.ts';
import { CAPITAL, countTo, GREETING, PARIS } from '../prompts.ts';

/** Asks the scripted model to repeat the system message. */
export const WHAT_YOU_WERE_TOLD = 'What were you told?';

/**
 * What the scripted model writes, a word at a time. It greets, knows one capital, counts, says what it is told to say,
 * continues an answer, calls the first function that is offered for Paris, and says what a function has returned.
 *
 * @param job - a job whose images have been read
 * @param pictures - `pictures` of Scenario
 */
export function said(job: GenerateJob, pictures: Record<string, string>): Step[] {
  const { prompt, tools, maxTokens = Number.POSITIVE_INFINITY } = job;
  const isAsked = prompt.kind === 'chat' && prompt.messages.at(-1)?.role === 'user';
  const [tool] = tools && tools.choice !== 'none' && isAsked ? tools.tools : [];
  if (tool) {
    const call = [toolCall(0, tool.name), toolArguments(0, '{"city": "Paris"}')];
    return [...call, finish('tool_calls')];
  }
  const words = answerTo(prompt, pictures).match(/\s*\S+/g) ?? [];
  const written = words.slice(0, maxTokens);
  const reason = written.length < words.length ? 'length' : 'stop';
  const usage = { promptTokens: 7, completionTokens: written.length, cachedTokens: 0 };
  const pieces = written.map((word, index) => ({ ...text(word), tokens: index + 1 }));
  return [...pieces, finish(reason, usage)];
}

function answerTo(prompt: Prompt, pictures: Record<string, string>): string {
  if (prompt.kind === 'raw') return ' four, five, six.';
  const { messages } = prompt;
  const { role, content = '', images: [image] = [] } = messages.at(-1) ?? {};
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
