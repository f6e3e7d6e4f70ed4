import { jobFault } from '../../../src/core/errors/errors.ts';
import type {
  DecideEvent,
  EmbedEvent,
  RerankEvent,
  TokensEvent,
} from '../../../src/core/operations/events/events.ts';
import type {
  DecideJob,
  EmbedJob,
  RerankJob,
  TokensJob,
} from '../../../src/core/operations/jobs/jobs.ts';

/** Counts the tokens of a job. The vocabulary is Unicode's. */
export function counted(job: TokensJob): TokensEvent | Error {
  const { of } = job;
  const unknown = of.kind === 'tokens' ? of.ids.findIndex((id) => id > 0x10ffff) : -1;
  return unknown === -1
    ? countedBy(job)
    : jobFault('tokens', 'is no token.', { path: `[${unknown}]` });
}

/** Events with one vector each, the last text first. A vector has the text's length, its place and zeros. */
export function embedded({
  texts,
  places = [...texts.keys()],
  dimensions = 4,
}: EmbedJob): EmbedEvent[] {
  if (dimensions > 4)
    throw jobFault('dimensions', 'must be 1 to 4.', { code: 'unsupported_value' });
  const events = texts.map((each, index): EmbedEvent => {
    const place = places[index] ?? 0;
    const values = new Float32Array(dimensions);
    values.set([each.length, place].slice(0, dimensions));
    return { type: 'vectors', places: [place], values, tokens: each.length };
  });
  return [...events.toReversed(), { type: 'embedded' }];
}

/** An option is as likely as its text is long; a predicate is true with 0.75. Each message is a token. */
export function decided({ questions, prompt }: DecideJob): DecideEvent {
  const decisions = questions.map((question) => {
    if (question.type === 'predicate') return { probabilities: [0.75, 0.25], coverage: 0.5 };
    const lengths = question.options.map(({ text }) => text.length);
    const sum = lengths.reduce((a, b) => a + b);
    return { probabilities: lengths.map((each) => each / sum), coverage: 1 };
  });
  const usage = { promptTokens: prompt.messages.length, cachedTokens: 1 };
  return { type: 'decided', decisions, usage };
}

/** How well a document fits: the share of the query's characters that it has. */
export function ranked({
  query,
  documents,
  places = [...documents.keys()],
}: RerankJob): RerankEvent[] {
  const scores = documents.map((document) => {
    const shared = Array.from(query).filter((character) => document.includes(character));
    return shared.length / query.length;
  });
  return [{ type: 'scores', places, scores, tokens: documents.length }, { type: 'ranked' }];
}

/** For this engine, each character of a text is a token, and each message has one more token before it. */
function countedBy({ of, pieces }: TokensJob): TokensEvent {
  const whole = textOf(of);
  const ids = of.kind === 'tokens' ? of.ids : Array.from(whole, (char) => char.codePointAt(0) ?? 0);
  return {
    type: 'tokens',
    ids,
    text: whole,
    contextLength: 2048,
    ...(pieces && { pieces: Array.from(whole) }),
  };
}

function textOf(of: TokensJob['of']): string {
  switch (of.kind) {
    case 'raw':
      return of.text;
    case 'tokens':
      return String.fromCodePoint(...of.ids);
    case 'chat':
      return of.messages.map(({ content }) => `\n${content}`).join('');
  }
}
