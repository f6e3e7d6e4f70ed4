import type { EventOf } from '../../src/core/operations/events/events.ts';
import type { ApiOperation } from '../../src/core/operations/jobs/jobs.ts';

/** The events that end an answer. */
const ENDS = new Set<string>(['finish', 'decided', 'spoken', 'embedded', 'ranked', 'transcribed']);

/** Counts the answers and tokens of a job by its events, so that they are also known if it is cut off. */
export class JobMeter {
  /** How many answers are complete. */
  answers = 0;
  /** Includes the cached ones. A prompt counts once, however many answers it has. */
  promptTokens = 0;
  cachedTokens = 0;
  /** Tokens of the answers that are complete. */
  #written = 0;
  /** Tokens of the answer that is being written. */
  #writing = 0;

  get completionTokens(): number {
    return this.#written + this.#writing;
  }

  get tokens(): number {
    return this.promptTokens + this.completionTokens;
  }

  take(event: EventOf<ApiOperation>): void {
    if (ENDS.has(event.type)) this.answers++;
    switch (event.type) {
      case 'reading':
        this.#read(event.prompt.readTokens, event.prompt.cachedTokens);
        break;
      case 'start':
        if (event.prompt) this.#read(event.prompt.promptTokens, event.prompt.cachedTokens);
        break;
      case 'text':
      case 'reasoning':
      case 'tool-arguments':
        this.#writing = event.tokens ?? this.#writing;
        break;
      case 'finish':
        this.#read(event.usage.promptTokens, event.usage.cachedTokens);
        this.#written += event.usage.completionTokens;
        this.#writing = 0;
        break;
      case 'decided':
        this.#read(event.usage.promptTokens, event.usage.cachedTokens);
        break;
      case 'vectors':
      case 'scores':
      case 'find-chunks':
        this.promptTokens += event.tokens;
        break;
      case 'heard':
        this.promptTokens += event.tokens?.read ?? 0;
        this.#written += event.tokens?.written ?? 0;
        break;
      default:
    }
  }

  #read(tokens: number, cached: number): void {
    this.promptTokens = Math.max(this.promptTokens, tokens);
    this.cachedTokens = Math.max(this.cachedTokens, cached);
  }
}
