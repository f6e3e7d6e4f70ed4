import { EngineClient } from '../../../core/protocol/engine-client.ts';
import type { Engine } from '../../../core/protocol/engine.ts';
import type { EventOf } from '../../../core/protocol/events.ts';
import type { JobOf } from '../../../core/protocol/jobs.ts';
import { serverError } from '../../../core/protocol/errors.ts';
import type {
  EngineConfig,
  SpeechDevice,
  ToEngineWorker,
} from '../../../core/protocol/messages.ts';
import { SPEECH_BUILDS } from '../../../core/protocol/speech-files.ts';
import type { SpeechOperation } from './speech-engine.ts';

/** An engine that can be ended, whatever it is doing. */
export interface Endable extends Engine<SpeechOperation> {
  end(): void;
}

/**
 * A worker of its own for speech: its WebAssembly computes for seconds without a pause, beside which
 * nothing else could be answered.
 */
export class SpeechWorker implements Endable {
  readonly #worker: Worker;
  readonly #client: EngineClient;

  constructor(config: EngineConfig, speechDevice: SpeechDevice) {
    const url = new URL(SPEECH_BUILDS[speechDevice].script, config.base);
    this.#worker = new Worker(url, { type: 'module', name: 'slashv1 speech' });
    const { port1, port2 } = new MessageChannel();
    this.#client = new EngineClient(port1);
    this.#worker.addEventListener('error', ({ message }) => {
      // A script that could not be loaded has no message.
      const why = message || `${url.href} could not be loaded`;
      this.#client.close(serverError('engine_error', `The speech worker failed: ${why}.`));
    });
    this.#post({ type: 'slashv1:configure', config: { ...config, speechDevice } });
    this.#post({ type: 'slashv1:attach' }, port2);
  }

  run<Op extends SpeechOperation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#client.run(job, signal);
  }

  end(): void {
    this.#worker.terminate();
    this.#client.close(serverError('engine_error', 'The speech worker was ended.'));
  }

  #post(message: ToEngineWorker, ...ports: MessagePort[]): void {
    this.#worker.postMessage(message, ports);
  }
}
