import { EventQueue } from '../../../../src/core/async/event-queue.ts';
import { orAborted } from '../../../../src/core/async/or-aborted.ts';
import type { DeviceReport } from '../../../../src/core/realms/device-report.ts';
import { engineOf, withoutEvents, type Engine } from '../../../../src/core/port/engine.ts';
import { contextOverflow, promptTooLong } from '../../../../src/core/errors/errors.ts';
import type {
  EventOf,
  GenerateEvent,
  KeptEvent,
  ProgressEvent,
  SpeakEvent,
  TokensEvent,
} from '../../../../src/core/operations/events/events.ts';
import type {
  GenerateJob,
  JobOf,
  Operation,
  SpeakJob,
  TokensJob,
} from '../../../../src/core/operations/jobs/jobs.ts';
import { isHopeless } from '../../../../src/core/text/hopeless-length.ts';
import { WavFile } from '../../../../src/engine/onnx/speech/sound/wav-file.ts';
import type { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';
import { heard, TestEngine, type Step } from '../../../contract/support/test-engine.ts';
import { Gate } from './gate.ts';
import { said } from './said.ts';
import type { Scenario } from './scenario.ts';
import type { ScriptedModels } from './scripted-models.ts';

/** The operations of pages and the API. `heap` is only for workers of models. */
export type PageOperation = Exclude<Operation, 'close' | 'heap' | 'open' | 'divide' | 'read-pdf'>;

/** Samples a second. */
const RATE = 24_000;
/** Seconds of speech for each text. */
const SPOKEN = 0.5;
/** The place of a token that never comes. */
const NEVER = -1;

/**
 * The engine of a page's engine worker, without models: the test engine of the contract tests answers the API, and a
 * scenario determines its answers.
 */
export class ScriptedEngine implements Engine<PageOperation> {
  readonly api = new TestEngine();
  readonly models: ScriptedModels;
  readonly #answers = new Gate();
  /** The place of the token that answers wait before. */
  #heldAt = NEVER;
  /** Generations under way. */
  #underWay = 0;
  readonly run: Engine<PageOperation>['run'];

  constructor(scenario: Scenario, models: ScriptedModels, report: DeviceReport) {
    this.models = models;
    const { api } = this;
    let { keptBytes } = scenario;
    api.files.list = () => models.entries();
    api.stepsOf = (job) => this.#stepsOf(job, scenario.pictures);
    api.alwaysSpeak(...sound());
    const silence = { type: 'transcribed', seconds: 2 } as const;
    api.alwaysHear(...(scenario.heard === '' ? [] : [heard(0, ` ${scenario.heard}`)]), silence);
    this.run = engineOf<PageOperation>({
      generate: (job, signal) => this.#generate(job, signal),
      decide: (job, signal) => this.#loaded(job, signal),
      speak: (job, signal) => this.#speak(job, signal),
      embed: (job, signal) => this.#loaded(job, signal),
      rerank: (job, signal) => this.#loaded(job, signal),
      transcribe: (job, signal) => this.#loaded(job, signal),
      tokens: (job, signal) => this.#tokens(job, signal),
      memory: (job, signal) => api.operations.memory(job, signal),
      ...api.files.runs,
      ...api.servers.runs,
      metrics: (job, signal) => api.operations.metrics(job, signal),
      load: (job, signal) =>
        withoutEvents(async () => {
          await models.want(job);
          await models.load(job.model, signal, job.autoInstall);
        }),
      unload: ({ model }) => withoutEvents(async () => models.unload(model)),
      keep: ({ model }, signal) => this.#keep(model, signal),
      install: ({ model }, signal) => withoutEvents(() => models.install(model, signal)),
      pause: ({ model }) => withoutEvents(async () => models.pause(model)),
      remove: ({ model }) => withoutEvents(() => models.remove(model)),
      async *add({ source, files }) {
        yield { type: 'added', model: await models.add(source ?? files[0]?.name ?? '', files) };
      },
      async *list() {
        yield { type: 'listed', models: await models.list() };
      },
      async *inspect({ model }) {
        yield { type: 'listed', models: await models.inspect(model) };
      },
      async *search({ query, task }) {
        yield { type: 'found', models: models.search(query, task) };
      },
      async *measure({ model, withinMs }, signal) {
        const measurement = await models.measure(model, signal, withinMs === undefined);
        yield { type: 'measured', measurement };
      },
      async *prompts({ action }) {
        if (action === 'clear') keptBytes = 0;
        yield { type: 'prompts', prompts: keptBytes > 0 ? 1 : 0, bytes: keptBytes };
      },
      async *device() {
        yield { type: 'device', device: report };
      },
      async *'built-in'() {
        yield { type: 'built-in', facts: { availability: 'unavailable' } };
      },
      async *states() {
        yield* models.progress.states();
      },
      watch: (_job, signal) => watching(models.progress, signal),
    }).run;
  }

  /**
   * Makes answers wait before this token, counted from 0; later answers wait for their turn. Speech waits before its
   * end.
   */
  hold(token: number): void {
    this.#heldAt = token;
    this.#answers.shut();
  }

  /** Lets all answers continue. */
  go(): void {
    this.#heldAt = NEVER;
    this.#answers.open();
  }

  async *#generate(job: GenerateJob, signal: AbortSignal): AsyncGenerator<GenerateEvent> {
    const { model, prompt: of, autoInstall = false } = job;
    await this.models.load(model, signal, autoInstall);
    for await (const { ids, contextLength } of this.#tokens({ op: 'tokens', model, of }, signal)) {
      if (ids.length > contextLength) throw promptTooLong(ids.length, contextLength);
    }
    this.#underWay++;
    try {
      yield* this.api.operations.generate(job, signal);
    } finally {
      this.#underWay--;
    }
  }

  /** Refuses to count a text that is far too long, as the real engine does. */
  async *#tokens(job: TokensJob, signal: AbortSignal): AsyncGenerator<TokensEvent> {
    for await (const event of this.#loaded(job, signal)) {
      if (isHopeless(event.text, event.contextLength)) {
        throw contextOverflow(`${event.contextLength} tokens`);
      }
      yield event;
    }
  }

  async *#speak(job: SpeakJob, signal: AbortSignal): AsyncGenerator<SpeakEvent> {
    for await (const event of this.#loaded(job, signal)) {
      if (event.type === 'spoken') await orAborted(this.#answers.opened, signal);
      yield event;
    }
  }

  async *#loaded<Op extends 'decide' | 'speak' | 'embed' | 'rerank' | 'transcribe' | 'tokens'>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<Op>> {
    await this.models.load(job.model, signal, job.autoInstall);
    yield* this.api.operations[job.op](job, signal);
  }

  async *#keep(model: string, signal: AbortSignal): AsyncGenerator<KeptEvent> {
    await this.models.load(model, signal);
    yield { type: 'kept' };
    await orAborted(new Promise(() => undefined), signal);
  }

  #stepsOf(job: GenerateJob, pictures: Record<string, string>): Step[] {
    const steps = said(job, pictures);
    const before = this.#underWay - 1;
    if (this.#heldAt === NEVER) return [START, ...steps];
    if (before === 0) return [START, ...steps.toSpliced(this.#heldAt, 0, this.#answers.opened)];
    const queued: Step[] = job.tellsReading ? [{ type: 'queued', before }] : [];
    return [...queued, this.#answers.opened, START, ...steps];
  }
}

const START: Step = { type: 'start', prompt: { promptTokens: 7, cachedTokens: 0 } };

/** A quiet tone, as a WAV file. */
function sound(): Step[] {
  const file = new WavFile(RATE);
  const samples = Float32Array.from(
    { length: RATE * SPOKEN },
    (_, index) => Math.sin(index / 10) / 8,
  );
  const bytes = file.encode(samples);
  return [
    { type: 'audio', bytes: file.openingHeader },
    { type: 'audio', bytes },
    { type: 'spoken', seconds: SPOKEN, header: file.finish().header },
  ];
}

/** The progress of all models, until the signal aborts. */
async function* watching(board: ProgressBoard, signal: AbortSignal): AsyncGenerator<ProgressEvent> {
  const events = new EventQueue<ProgressEvent>();
  void board.watch(signal, (event) => events.push(event)).finally(() => events.end());
  yield* events;
}
