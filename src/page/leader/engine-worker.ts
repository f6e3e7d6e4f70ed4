import type { EngineConfig, FromEngineWorker, ToEngineWorker } from '../../core/realms/messages.ts';
import { isLockHeld, webLocks } from '../../core/port/web-lock.ts';
import { startPageWorker, type HostWorker, type StartHostWorker } from './host-worker.ts';
import { ModelWorkers } from './model-workers.ts';
import { serviceWorkers } from '../platform.ts';
import { StartError } from '../api/api.ts';
import { askToClaim } from '../worker/register.ts';
import { faultOf, SILENT_MS, whyNotStarted } from '../worker/served.ts';
import { warnOfOtherVersion } from '../worker/versions.ts';
import { endedEngines, noteEngine, noteWhileAway, onEngineNoted } from './ended-engines.ts';
import { messageOf } from '../../core/text/message-of.ts';

/**
 * How long a worker may take to fetch its script and start, milliseconds. After a crash that also ended the
 * service worker, Chromium was seen to create a worker that never started and reported no error.
 */
const START_MS = 30_000;
/** The time between two pings, milliseconds. */
const PING_MS = 10_000;
/**
 * A worker that has not answered this many pings counts as hung. That is two minutes, because compiling a
 * large grammar can keep a worker busy for a good part of it. Pings are counted rather than time, because
 * the computer may have slept.
 */
const MAX_UNANSWERED = 12;

type WantedWorker = Extract<FromEngineWorker, { type: 'slashv1:start-worker' }>;

/** How many workers in a row have not started. */
let attempts = 0;

/** Values that workers asked this page to keep. The next worker gets them, however the last one ended. */
const kept = new Map<string, object>();

/** Web Lock of the last worker that hung. */
let hung: string | undefined;

/** The worker that hosts the engine, from its creation until it ends for whatever reason. */
export class EngineWorker {
  readonly #worker: HostWorker;
  readonly #children: ModelWorkers;
  readonly #script: URL;
  readonly #alive = Promise.withResolvers<string | undefined>();
  #failure: Promise<StartError | undefined> | undefined;
  /** Aborts when the worker has ended. */
  readonly #ended = new AbortController();
  /** Web Lock of the worker, once it has started. */
  #lock: string | undefined;
  #unanswered = 0;
  /** Whether its script came through a service worker. */
  readonly #isControlled = !!serviceWorkers()?.controller;
  readonly #silence: ReturnType<typeof setTimeout>;
  /** First the timeout of the start, then the interval of the pings. */
  #timer: ReturnType<typeof setTimeout>;

  /** @param start - starts it and its models' workers */
  constructor(config: EngineConfig, start = startPageWorker) {
    // Each attempt may take twice as long as the one before: the network may be slow.
    const startMs = START_MS * 2 ** attempts++;
    this.#timer = setTimeout(() => this.end(), startMs);
    const script = new URL('engine.js', config.base);
    this.#script = script;
    this.#worker = startWorker(start, script);
    this.#children = new ModelWorkers(start);
    this.#worker.addEventListener('error', (event) => this.#onError(event));
    this.#silence = setTimeout(() => this.#onSilence(), SILENT_MS);
    this.#worker.addEventListener('message', ({ data, ports }: MessageEvent<FromEngineWorker>) => {
      switch (data.type) {
        case 'slashv1:alive':
          this.#onAlive(data.lock);
          void warnOfOtherVersion(script, data.version);
          break;
        case 'slashv1:pong':
          this.#unanswered = 0;
          break;
        case 'slashv1:keep':
          if (data.value) kept.set(data.key, data.value);
          else kept.delete(data.key);
          break;
        case 'slashv1:start-worker':
          this.#startChild(data, ports);
          break;
        case 'slashv1:end-worker':
          this.#children.end(data.id);
          break;
        case 'slashv1:broken':
          this.end();
          break;
      }
    });
    this.#post({ type: 'slashv1:configure', config, kept, hung });
    this.#postEnded();
    onEngineNoted(() => this.#postEnded(), this.#ended.signal);
  }

  /** Resolves with the Web Lock of the running worker; undefined: it could not start, or has ended. */
  async lock(): Promise<string | undefined> {
    const lock = await this.#alive.promise;
    if (lock === undefined || this.#ended.signal.aborted) return undefined;
    // The browser reports no event for a killed worker, and another tab may notice before this one.
    if (await isLockHeld(lock)) return lock;
    this.#forget();
    return undefined;
  }

  /** Why the worker could not start; undefined: that cannot be seen, and another one may start. */
  failure(): Promise<StartError | undefined> {
    return this.#failure ?? Promise.resolve(undefined);
  }

  attach(port: MessagePort): void {
    this.#post({ type: 'slashv1:attach' }, port);
  }

  /** Ends the worker. This releases its lock, so that its clients notice and ask for another engine. */
  end(): void {
    // A worker that has ended by itself is not noted: a load that was under way may have been the cause.
    if (this.#lock !== undefined && !this.#ended.signal.aborted) noteEngine(this.#lock, true);
    this.#forget();
  }

  #onError(event: ErrorEvent): void {
    if (this.#lock === undefined) {
      // The failure is reported to whoever starts the engine. It must not count as an error of the page.
      event.preventDefault();
      // Without a message, the request of the script may have been lost. If its file is right, the next worker may start.
      const mayBeLost = attempts === 1 && !event.message;
      this.#failure ??= mayBeLost
        ? faultOf(this.#script, 'engine_failed')
        : whyNotStarted(this.#script, event.message);
    }
    this.end();
  }

  /** An empty script, and one that is not of slashv1, run without an error. */
  #onSilence(): void {
    const looking = faultOf(this.#script, 'engine_failed');
    void looking.then((fault) => {
      if (!fault || this.#lock !== undefined) return;
      this.#failure ??= looking;
      this.end();
    });
  }

  #forget(): void {
    this.#ended.abort();
    clearTimeout(this.#silence);
    clearTimeout(this.#timer);
    this.#alive.resolve(undefined);
    this.#worker.terminate();
    this.#children.endAll();
  }

  #startChild({ id, script, name }: WantedWorker, [port]: readonly MessagePort[]): void {
    // After the end, nobody would end a new worker.
    if (!port || this.#ended.signal.aborted) return;
    this.#children.start(id, script, name, port, this.#lock, (message) =>
      this.#post({ type: 'slashv1:worker-failed', id, message }),
    );
  }

  #onAlive(lock: string): void {
    attempts = 0;
    clearTimeout(this.#silence);
    clearTimeout(this.#timer);
    const { signal } = this.#ended;
    if (signal.aborted) return;
    this.#lock = lock;
    this.#alive.resolve(lock);
    // In WebKit, a claim does not reach workers whose script is still loading. The service worker would not see the
    // requests of such an engine and of its workers, so they could not work offline.
    if (!this.#isControlled) askToClaim(serviceWorkers()?.controller);
    webLocks.watch(lock, () => this.#forget());
    noteWhileAway(lock, signal);
    this.#timer = setInterval(() => this.#ping(), PING_MS);
  }

  #postEnded(): void {
    const locks = endedEngines();
    if (locks) this.#post({ type: 'slashv1:ended', locks });
  }

  #ping(): void {
    if (this.#unanswered++ < MAX_UNANSWERED) return this.#post({ type: 'slashv1:ping' });
    hung = this.#lock;
    this.end();
  }

  #post(message: ToEngineWorker, ...ports: MessagePort[]): void {
    this.#worker.postMessage(message, ports);
  }
}

/** @throws StartError if the browser refuses the script */
function startWorker(start: StartHostWorker, script: URL): HostWorker {
  try {
    return start(script, 'slashv1 engine');
  } catch (cause) {
    const message = `${script.href} may not run as a worker of this page: ${messageOf(cause)}`;
    throw new StartError('engine_failed', message, { cause });
  }
}
