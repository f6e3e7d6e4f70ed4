import { orAborted } from '../core/async/or-aborted.ts';
import type { Engine, Job, JobEvent } from '../core/protocol/engine.ts';
import { modelNotFound } from '../core/protocol/errors.ts';
import type { CatalogStore } from '../core/stores/catalog-store.ts';
import type { Admin } from './admin.ts';
import type { SpeechHost } from './onnx/speech/speech-host.ts';
import type { ModelMemory } from './scheduling/model-memory.ts';
import type { TextEngine } from './text/text-engine.ts';
import type { ModelLibrary } from './weights/installer.ts';

interface Parts {
  catalog: Pick<CatalogStore, 'get'>;
  library: Pick<ModelLibrary, 'remove'>;
  memory: Pick<ModelMemory, 'expect'>;
  admin: Pick<Admin, 'run'>;
  text: Pick<TextEngine, 'run'>;
  speech: Pick<SpeechHost, 'run'>;
}

/** All that this worker can do, as one engine: each job goes to the part that runs it. */
export class Router implements Engine {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async *run(job: Job, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const { admin, library, speech, text } = this.#parts;
    switch (job.op) {
      case 'generate':
        yield* text.run(job, signal);
        return;
      case 'speak':
        if (!(await this.#speaks(job.model))) {
          throw modelNotFound(job.model, 'It is not a speech model.');
        }
        yield* speech.run(job, signal);
        return;
      case 'load':
      case 'unload':
        yield* (await this.#speaks(job.model)) ? speech.run(job, signal) : text.run(job, signal);
        return;
      case 'remove':
        yield* this.run({ op: 'unload', model: job.model }, signal);
        await library.remove(job.model);
        return;
      case 'keep':
        yield* this.#keep(job.model, signal);
        return;
      default:
        yield* admin.run(job, signal);
    }
  }

  async *#keep(model: string, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const release = this.#parts.memory.expect(model);
    try {
      yield* this.run({ op: 'load', model }, signal);
      yield { type: 'kept' };
      await orAborted(new Promise<never>(() => undefined), signal);
    } finally {
      release();
    }
  }

  async #speaks(model: string): Promise<boolean> {
    return (await this.#parts.catalog.get(model))?.speech !== undefined;
  }
}
