import type { GenerateEvent } from '../../core/operations/events/events.ts';
import type { GenerateJob, WrittenPiece } from '../../core/operations/jobs/jobs.ts';
import { StopFilter } from '../../core/text/stop-filter.ts';
import { AnswerLength } from './answer-length.ts';
import { failureOf } from './failure.ts';
import type { NativeMessage, NativePromptOptions, Session } from './native-model.ts';

interface Answering {
  session: Session;
  messages: NativeMessage[];
  options: NativePromptOptions;
  /** The part of the answer that another tab has written. */
  written: readonly WrittenPiece[];
  /** Tokens of the prompt, without the part of the answer that is already written. */
  promptTokens: number;
  /** Most tokens of the answer. */
  mostTokens: number;
  /** Whether another tab could continue the answer. */
  isContinuable: boolean;
}

/** Writes one answer to its end. */
export async function* writeAnswer(
  job: GenerateJob,
  answering: Answering,
): AsyncGenerator<GenerateEvent, void, undefined> {
  const { session, promptTokens, isContinuable } = answering;
  const stops = new StopFilter(job.stop);
  const length = await lengthOf(session, answering.mostTokens);
  const isTold = isContinuable && job.checkpoints === true;
  let isCut = false;
  for await (const text of pieces(answering)) {
    isCut = !(await length.takes(text));
    if (isCut) break;
    if (isTold) yield { type: 'written', piece: { text, tokens: 0 } };
    yield* textEvents(stops.push(text), job, length);
    if (stops.stopped) break;
  }
  yield* textEvents(stops.flush(), job, length);
  const completionTokens = await length.count();
  const isFull = !stops.stopped && promptTokens + completionTokens >= session.window;
  yield {
    type: 'finish',
    reason: isCut || isFull ? 'length' : 'stop',
    ...(stops.stop !== undefined && { stop: stops.stop }),
    usage: { promptTokens, completionTokens, cachedTokens: 0 },
  };
}

async function* textEvents(
  text: string,
  { countsTokens }: GenerateJob,
  length: AnswerLength,
): AsyncGenerator<GenerateEvent, void, undefined> {
  if (text === '') return;
  yield { type: 'text', text, ...(countsTokens && { tokens: await length.count() }) };
}

/** Replays the text that is already written, then streams new text. */
async function* pieces({ session, messages, options, written, mostTokens }: Answering) {
  for (const { text } of written) yield text;
  if (mostTokens <= 0) return;
  const attempt = { hasFormat: options.responseConstraint !== undefined, window: session.window };
  let hasBegun = written.length > 0;
  const reader = session.answer(messages, options).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      hasBegun = true;
      yield value;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw failureOf(error, { ...attempt, hasBegun });
  } finally {
    // The session ends next, which ends all its output.
    reader.cancel().catch(() => undefined);
  }
}

/** Creates a counter of the answer's tokens. The marks around a turn's text are not counted. */
async function lengthOf(session: Session, mostTokens: number): Promise<AnswerLength> {
  const tokensOf = (content: string) => session.measure([{ role: 'user', content }], {});
  const marks = await tokensOf('');
  return new AnswerLength(async (text) => (await tokensOf(text)) - marks, mostTokens);
}
