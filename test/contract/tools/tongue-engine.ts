import type {
  ApiOperation,
  GenerateJob,
  JobOf,
  Tool,
} from '../../../src/core/operations/jobs/jobs.ts';
import type { EventOf } from '../../../src/core/operations/events/events.ts';
import { engineOf, type Engine, type Take } from '../../../src/core/port/engine.ts';
import { opensThinking } from '../../../src/engine/conversation/answer/reasoning-splitter.ts';
import {
  chatFormat,
  type ChatFormat,
} from '../../../src/engine/conversation/prompt/chat-format.ts';
import { chatTemplate } from '../../../src/engine/conversation/prompt/chat-template.ts';
import type { TokenizerFacts } from '../../../src/engine/conversation/prompt/tokenizer-files.ts';
import type { EmitRaw, TextModel } from '../../../src/engine/conversation/text-model.ts';
import { callableTools } from '../../../src/engine/conversation/tools/call-grammar.ts';
import { writeCalls } from '../../../src/engine/conversation/tools/format/call-format.ts';
import { ChatModel } from '../../../src/engine/models/chat-model.ts';
import { eventsOf } from '../../unit/support/sinks.ts';
import { TestEngine } from '../support/test-engine.ts';
import type { Turn } from './tool-turns.ts';

const THOUGHT = 'They ask [me].';
const TEXT = 'Well, yes.';
/** Characters of a piece of the output. */
const PIECE = 3;

/**
 * An engine whose model writes in the tongue of a chat template: a thought, if the prompt leaves one to it, and then a call
 * of the first tool that it may call, or a text. Prompts and parsers are those of the product.
 */
export class TongueEngine extends TestEngine {
  readonly format: ChatFormat;
  /** The prompts that the model has read. */
  readonly prompts: string[] = [];
  /** What the model has thought; undefined: the last prompt left no thought to it. */
  thought: string | undefined;
  /** What the model has called; undefined: it has written a text. */
  called: Tool | undefined;
  readonly #text: Engine<'generate'>;

  /** @param source - the chat template */
  constructor(source: string) {
    super();
    const facts: TokenizerFacts = {
      chatTemplate: source,
      bosToken: '<s>',
      eosToken: '</s>',
      controlTokens: [],
      tokenIds: new Map(),
    };
    this.format = chatFormat(chatTemplate(source, facts), facts, []);
    this.#text = engineOf<'generate'>({
      generate: (job, signal) =>
        eventsOf((emit, ending) => this.#chatModel(job).generate(job, ending, emit), signal),
    });
  }

  override run<Op extends ApiOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ): Promise<void> {
    const engine: Engine<ApiOperation> =
      job.op === 'generate' ? this.#text : { run: super.run.bind(this) };
    return engine.run(job, signal, take);
  }

  /** What the last answer has to say. */
  get turn(): Turn {
    const { called, thought = '' } = this;
    if (!called) return { thought, text: TEXT, calls: [] };
    const json: unknown = JSON.parse(argumentsFor(called));
    return { thought, text: '', calls: [{ name: called.name, arguments: json }] };
  }

  #chatModel(job: GenerateJob): ChatModel {
    const model: TextModel = {
      generate: async (prompt, _generation, _signal, emit) => this.#write(job, prompt, emit),
      isWarm: () => false,
      tokenizer: undefined,
      extraBytes: 0,
      releaseExtra: () => undefined,
      forget: () => undefined,
      unload: () => Promise.resolve(),
    };
    const facts = {
      format: this.format,
      hidden: { withCalls: new Map(), withoutCalls: new Map(), inMarks: [] },
      stopTokenIds: [],
      contextLength: 100_000,
      vocabularySize: undefined,
      sampling: { temperature: 0 },
    };
    return new ChatModel(model, facts, () => Promise.reject(new Error('There is no vocabulary.')));
  }

  #write(job: GenerateJob, prompt: string, emit: EmitRaw): void {
    this.prompts.push(prompt);
    const output = this.#thoughtAfter(prompt) + this.#answerTo(job);
    let count = 0;
    for (let at = 0; at < output.length; at += PIECE) {
      emit({ type: 'text', text: output.slice(at, at + PIECE), tokens: [], count: ++count });
    }
    const usage = { promptTokens: 9, completionTokens: count, cachedTokens: 0 };
    emit({ type: 'finish', reason: 'stop', usage });
  }

  #thoughtAfter(prompt: string): string {
    const { thinking } = this.format;
    const isClosed = thinking !== undefined && prompt.trimEnd().endsWith(thinking.marks.close);
    this.thought = thinking && !isClosed ? THOUGHT : undefined;
    if (!thinking || isClosed) return '';
    const { open, close } = thinking.written;
    return (opensThinking(prompt, thinking.marks) ? '' : open) + THOUGHT + close;
  }

  #answerTo({ tools }: GenerateJob): string {
    const { callFormat, answer } = this.format;
    const [tool] = tools && tools.choice !== 'none' ? callableTools(tools) : [];
    this.called = tool;
    if (tool) return writeCalls(callFormat, [{ name: tool.name, json: argumentsFor(tool) }]);
    return answer.begin + TEXT + (answer.around[1] ?? '');
  }
}

/** Arguments of the right names and, as far as they are simple, types. */
function argumentsFor({ parameters }: Pick<Tool, 'parameters'>): string {
  const properties = Object.entries(parameters['properties'] ?? {});
  return JSON.stringify(Object.fromEntries(properties.map(([name, of]) => [name, valueOf(of)])));
}

function valueOf(schema: unknown): unknown {
  const type: unknown = typeof schema === 'object' && schema && 'type' in schema ? schema.type : '';
  switch (type) {
    case 'number':
    case 'integer':
      return 3;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'Bern & "Genoa"';
  }
}
