import type { CatalogStore } from '../core/stores/catalog-store.ts';
import type { Engine, Job, JobEvent } from '../core/protocol/engine.ts';
import { modelNotFound } from '../core/protocol/errors.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import type { LocalEngine } from './text/text-engine.ts';
import type { ModelMemory } from './scheduling/model-memory.ts';
import type { SpeechHost } from './onnx/speech/speech-host.ts';

interface Parts {
  catalog: Pick<CatalogStore, 'get'>;
  memory: Pick<ModelMemory, 'expect'>;
  chat: Pick<LocalEngine, 'run'>;
  speech: Pick<SpeechHost, 'run'>;
}

/** All models of this worker as one engine: those that speak are run by one, those that write by the other. */
export class RoutedEngine implements Engine {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async *run(job: Job, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const { chat, speech } = this.#parts;
    switch (job.op) {
      case 'speak':
        if (!(await this.#speaks(job.model))) {
          throw modelNotFound(job.model, 'It does not speak.');
        }
        yield* speech.run(job, signal);
        return;
      case 'load':
      case 'unload':
      case 'remove':
        yield* (await this.#speaks(job.model)) ? speech.run(job, signal) : chat.run(job, signal);
        return;
      case 'keep':
        yield* this.#keep(job.model, signal);
        return;
      default:
        yield* chat.run(job, signal);
    }
  }

  async *#keep(model: string, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const end = this.#parts.memory.expect(model);
    try {
      yield* this.run({ op: 'load', model }, signal);
      yield { type: 'kept' };
      await orAborted(new Promise<never>(() => undefined), signal);
    } finally {
      end();
    }
  }

  async #speaks(model: string): Promise<boolean> {
    return (await this.#parts.catalog.get(model))?.task === 'speech';
  }
}
