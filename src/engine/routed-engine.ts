import type { CatalogStore } from '../core/catalog-store.ts';
import type { Engine, Job, JobEvent } from '../core/engine.ts';
import type { LocalEngine } from './local-engine.ts';
import type { SpeechHost } from './speech/speech-host.ts';

interface Parts {
  catalog: Pick<CatalogStore, 'get'>;
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
      case 'load':
      case 'unload':
      case 'remove':
        yield* (await this.#speaks(job.model)) ? speech.run(job, signal) : chat.run(job, signal);
        return;
      default:
        yield* chat.run(job, signal);
    }
  }

  async #speaks(model: string): Promise<boolean> {
    return (await this.#parts.catalog.get(model))?.speech !== undefined;
  }
}
