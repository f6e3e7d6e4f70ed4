import EventEmitter, { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { WebSocketServer, type WebSocket as WorkerSocket } from 'ws';
import type { TestSite } from './site.ts';

/** The scripts of the workers that compute. */
const SCRIPTS = ['engine.js', 'llamacpp.js', 'onnx.js'];

/** How much a worker may compute. Undefined: no limit. */
interface Amount {
  /** Tokens of answers. In WebLLM, each read of the GPU's memory counts as one, and a token may need two. */
  tokens?: number;
  /**
   * How often a worker may continue between two parts of a prompt, of a recording or of one job's texts, or between two
   * spoken sentences. WebLLM reads a whole prompt at once, as part of the first token.
   */
  batches?: number;
}

/** What every worker may compute from now on, until the next message. */
interface Allowance extends Required<Amount> {
  round: number;
}

const reportSchema = v.object({
  round: v.number(),
  /**
   * `heard`: the worker knows its allowance; `held`: it has used it up; `stopped`: it was told to end its job; `ran`: it
   * has run a function of the test.
   */
  what: v.picklist(['heard', 'held', 'stopped', 'ran']),
});
type Report = v.InferOutput<typeof reportSchema>;

/** Whether each report has arrived in the present round. */
type Known = Record<Report['what'], boolean>;

/**
 * Holds the workers of a test site's engines at a token or a batch, in any browser, however fast the machine is. Workers
 * that start later, such as those of the next engine, get the same allowance.
 */
export class Hold {
  readonly #site: TestSite;
  readonly #server: WebSocketServer;
  readonly #workers = new Map<WorkerSocket, Known>();
  /** The script that each worker runs. */
  readonly #scripts = new Map<WorkerSocket, string>();
  readonly #changes = new EventEmitter();
  #allowance: Allowance = { round: 1, tokens: Infinity, batches: Infinity };

  /** @param server - listening server of the WebSockets that control the workers */
  constructor(site: TestSite, server: WebSocketServer) {
    this.#site = site;
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    for (const script of SCRIPTS) {
      site.preludes[script] =
        `(${String(obeyHold)})('ws://127.0.0.1:${port}/${script}', '${script}');\n`;
    }
    server.on('connection', (worker, { url = '' }) => {
      this.#scripts.set(worker, url.slice(1));
      worker.on('message', (data: Buffer) =>
        this.#take(worker, v.parse(reportSchema, JSON.parse(data.toString()))),
      );
      worker.on('close', () => this.#forget(worker));
      this.#tell(worker);
    });
  }

  /** Lets each worker compute this much from now on, and holds it before more. Returns when all workers know. */
  async at({ tokens = Infinity, batches = Infinity }: Amount): Promise<void> {
    this.#allowance = { tokens, batches, round: this.#allowance.round + 1 };
    for (const worker of this.#workers.keys()) this.#tell(worker);
    await this.#until(() => this.#known.every(({ heard }) => heard));
  }

  /** Lets all workers continue without a limit. */
  release(): Promise<void> {
    return this.at({});
  }

  /** Returns when a worker has used up what it may compute since the last call of `at`. */
  untilHeld(): Promise<void> {
    return this.#until(() => this.#known.some(({ held }) => held));
  }

  /** Returns when the held worker was told to end its job. The worker ends it once it is released. */
  untilStopped(): Promise<void> {
    return this.#until(() => this.#known.some(({ held, stopped }) => held && stopped));
  }

  /**
   * Runs a function, which can use nothing from its file, in the newest worker of a script; also in a SharedWorker, which
   * pages do not list. Returns when it has run, or has ended the worker.
   */
  async runIn(script: string, run: () => void): Promise<void> {
    const worker = this.#newest(script);
    const known = this.#workers.get(worker);
    worker.send(JSON.stringify({ run: `(${String(run)})()` }));
    await this.#until(() => known?.ran === true || !this.#scripts.has(worker));
  }

  /** Ends the newest worker of a script, as the browser does when memory runs out: nobody gets an event. */
  async end(script: string): Promise<void> {
    const count = this.#scripts.size;
    await this.runIn(script, () => self.close());
    await this.#until(() => this.#scripts.size < count);
  }

  /** Makes the newest worker of a script hang for ever. From now on, it counts no more. */
  hang(script: string): void {
    const worker = this.#newest(script);
    worker.send(JSON.stringify({ run: 'for (;;);' }));
    worker.close();
    this.#forget(worker);
  }

  /** Ends the control: all workers continue. */
  async close(): Promise<void> {
    for (const script of SCRIPTS) delete this.#site.preludes[script];
    for (const worker of this.#workers.keys()) worker.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #newest(script: string): WorkerSocket {
    const worker = [...this.#scripts].findLast(([, its]) => its === script)?.[0];
    if (!worker) throw new Error(`There is no worker of ${script}.`);
    return worker;
  }

  #forget(worker: WorkerSocket): void {
    this.#workers.delete(worker);
    this.#scripts.delete(worker);
    this.#changes.emit('change');
  }

  get #known(): Known[] {
    return [...this.#workers.values()];
  }

  #tell(worker: WorkerSocket): void {
    this.#workers.set(worker, { heard: false, held: false, stopped: false, ran: false });
    // JSON has no Infinity.
    const finite = (_: string, value: unknown) => (value === Infinity ? Number.MAX_VALUE : value);
    worker.send(JSON.stringify(this.#allowance, finite));
  }

  #take(worker: WorkerSocket, { round, what }: Report): void {
    const known = this.#workers.get(worker);
    if (!known || round !== this.#allowance.round) return;
    known[what] = true;
    this.#changes.emit('change');
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await once(this.#changes, 'change');
  }
}

/** Gets control of the engines that pages of a site start from now on. */
export async function holdOf(site: TestSite): Promise<Hold> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  return new Hold(site, server);
}

/** Runs with control of the engines that pages of a site start meanwhile. */
export async function withHold<T>(site: TestSite, use: (hold: Hold) => Promise<T>): Promise<T> {
  const hold = await holdOf(site);
  try {
    return await use(hold);
  } finally {
    await hold.close();
  }
}

/**
 * Runs in a worker before its script, and can use nothing from this file. It stops where the worker waits anyway: in
 * llama.cpp and ONNX Runtime for the turn of the event loop between two tokens or batches, in WebLLM for a read of the
 * GPU's memory, of which a token needs at least one.
 */
function obeyHold(url: string, script: string): void {
  type Kind = 'tokens' | 'batches';
  const socket = new WebSocket(url);
  const left = { round: 0, tokens: 0, batches: 0 };
  const waiting: { kind: Kind; goOn: () => void }[] = [];
  const report = (what: string) => {
    if (left.round > 0) socket.send(JSON.stringify({ round: left.round, what }));
  };
  const goOn = () => {
    for (let [next] = waiting; next && left[next.kind] >= 1; [next] = waiting) {
      left[next.kind]--;
      waiting.shift();
      next.goOn();
    }
    if (waiting.length > 0) report('held');
  };
  const step = (kind: Kind, next: () => void) => {
    waiting.push({ kind, goOn: next });
    goOn();
  };
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as Partial<Allowance> & { run?: string };
    if (message.run !== undefined) {
      // oxlint-disable-next-line no-eval -- the test's own function, which can reach a worker in no other way
      (0, eval)(message.run);
      return report('ran');
    }
    Object.assign(left, message);
    report('heard');
    goOn();
  };

  socket.onclose = () => {
    Object.assign(left, { round: 0, tokens: Infinity, batches: Infinity });
    goOn();
  };

  /** The type of the last message to the engine. */
  let last: unknown;
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (message: unknown, options?: object) {
    const send = () => postMessage.call(this, message, options);
    // For a turn of the event loop, a worker sends `null` to itself.
    if (message === null) return step(last === 'text' ? 'tokens' : 'batches', send);
    const type: unknown = Reflect.get(Object(message), 'type');
    // The first token of an answer needs no turn.
    if (type === 'text' && last !== 'text') left.tokens--;
    last = type;
    send();
  };

  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get;
  Object.defineProperty(MessageEvent.prototype, 'data', {
    get(this: MessageEvent) {
      const message: unknown = data?.call(this);
      const type: unknown = Reflect.get(Object(message), 'type');
      if (type === 'stop' || type === 'cancel') report('stopped');
      return message;
    },
  });

  if (script === 'engine.js' && 'GPUBuffer' in self) {
    const { mapAsync } = GPUBuffer.prototype;
    GPUBuffer.prototype.mapAsync = async function (...range) {
      await new Promise<void>((resolve) => step('tokens', resolve));
      return mapAsync.apply(this, range);
    };
  }
  if (script === 'onnx.js') {
    const { setTimeout: later } = self;
    // Between two sentences, speech waits for a turn by a timer without a delay.
    self.setTimeout = ((run: () => void, ms?: number) =>
      ms === undefined ? step('batches', () => later(run)) : later(run, ms)) as typeof setTimeout;
  }
}
