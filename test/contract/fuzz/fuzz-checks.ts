import { expect } from 'vitest';
import type {
  ApiOperation,
  GenerateJob,
  JobOf,
  SpeakJob,
} from '../../../src/core/operations/jobs/jobs.ts';
import type { EventOf } from '../../../src/core/operations/events/events.ts';
import type { Take } from '../../../src/core/port/engine.ts';
import { json, type ErrorBody } from '../support/read.ts';
import { TestEngine } from '../support/test-engine.ts';

type Checks = { [Op in ApiOperation]: (job: JobOf<Op>) => number };

const one = () => 1;

/** Each returns how many answers the job asks for. */
const CHECKS: Checks = {
  generate: checkGenerateJob,
  decide: one,
  speak: checkSpeakJob,
  embed: one,
  rerank: one,
  tokens: one,
  memory: one,
  files: one,
  stores: one,
  members: one,
  'find-chunks': one,
  mcp: one,
  metrics: one,
  states: one,
  watch: one,
  transcribe: one,
  load: one,
  unload: one,
  install: one,
  remove: one,
};

/** Answers at once. Its jobs must be valid and able to cross a port. */
export class StrictEngine extends TestEngine {
  override async run<Op extends ApiOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ) {
    const choices = CHECKS[job.op](job);
    for (let choice = 0; choice < choices; choice++) {
      await super.run(structuredClone(job), signal, take);
    }
    this.runs.length = 0;
    this.speeches.length = 0;
  }
}

function checkGenerateJob({ sampling, maxTokens, stop, prompt, choices }: GenerateJob): number {
  expect(choices ?? 2).toBeGreaterThan(1);
  const { logitBias, ...numbers } = sampling;
  for (const value of Object.values(numbers)) expect(value).toSatisfy(Number.isFinite);
  for (const bias of Object.values(logitBias ?? {})) expect(Math.abs(bias)).toBeLessThan(101);
  expect(maxTokens ?? 1).toSatisfy((it: number) => Number.isInteger(it) && it >= 0);
  expect(stop).toSatisfy((texts: string[]) => texts.length <= 64 && !texts.includes(''));
  if (prompt.kind === 'raw') expect(prompt.text).not.toBe('');
  else for (const { content } of prompt.messages) expect(content).toBeTypeOf('string');
  return choices ?? 1;
}

function checkSpeakJob({ text, speed, voice }: SpeakJob): number {
  expect(text).toMatch(/\S/);
  expect(speed).toBeGreaterThanOrEqual(0.25);
  expect(voice).toMatch(/^(ann|bob|cleo)$/);
  return 1;
}

/** A whole answer, or an error that blames the request; never a failure of ours. */
export async function expectAnswerOrRefusal(response: Response, statuses: number[]): Promise<void> {
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  if (response.status >= 400) await expectRefusal(response, statuses);
  else await expectWhole(response);
}

async function expectRefusal(response: Response, statuses: number[]): Promise<void> {
  const { error } = await json<ErrorBody>(response);
  expect({ ...error, status: response.status }).toMatchObject({
    status: expect.toSatisfy((status: number) => statuses.includes(status)),
    // Anthropic's clients read another one for 404.
    type: expect.stringMatching(/^(invalid_request|not_found)_error$/),
    message: expect.stringMatching(/\S/),
    code: error.code === null ? null : expect.stringMatching(/^[a-z_]+$/),
    param: error.param === null ? null : expect.any(String),
  });
}

/** The end of the stream of a chat, a response and a message. */
const WHOLE_STREAM =
  /data: (?:\[DONE\]|\{"type":"(?:response\.(?:completed|incomplete)|message_stop)".*\})\n\n$/;

const WHOLE = ['object', 'type', 'tokens', 'input_tokens', 'prompt', 'status', 'answers'];
const isWhole = (body: object) => WHOLE.some((field) => field in body);

async function expectWhole(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  if (type.startsWith('text/event-stream')) expect(text).toMatch(WHOLE_STREAM);
  else if (type === 'application/json') expect(JSON.parse(text)).toSatisfy(isWhole);
  else expect(type).toMatch(/^audio\/(wav|mpeg)$/);
}
