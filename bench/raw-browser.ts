import * as v from 'valibot';
import { WebSocket } from 'ws';
import {
  launchChromium,
  type Chromium,
  type Graphics,
} from '../test/browser/support/browser/chromium.ts';

const replySchema = v.object({
  id: v.optional(v.number()),
  result: v.optional(v.record(v.string(), v.unknown())),
  error: v.optional(v.object({ message: v.string() })),
});

const evaluationSchema = v.object({
  result: v.object({ value: v.optional(v.unknown()) }),
  exceptionDetails: v.optional(
    v.object({
      text: v.string(),
      exception: v.optional(v.object({ description: v.optional(v.string()) })),
    }),
  ),
});

const cpuSchema = v.object({ processInfo: v.array(v.object({ cpuTime: v.number() })) });
const targetsSchema = v.object({
  targetInfos: v.array(v.object({ type: v.string(), targetId: v.string() })),
});

/** A browser is idle if it takes less than `QUIET_CPU_SECONDS` of processor time in `QUIET_MS`. */
const QUIET_MS = 500;
const QUIET_CPU_SECONDS = 0.02;

/**
 * A Chromium to measure in. It is controlled over its own DevTools protocol, which is attached to pages
 * only. Playwright also attaches to service workers, which keeps them alive, and records every fetch.
 */
export class RawBrowser {
  readonly #chromium: Chromium;
  readonly #socket: WebSocket;
  readonly #replies = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  #nextId = 1;

  private constructor(chromium: Chromium, socket: WebSocket) {
    this.#chromium = chromium;
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
  }

  /**
   * @param flags - added to the usual command-line switches
   * @param graphics - default: a GPU that the CPU emulates
   */
  static async launch(flags: string[] = [], graphics?: Graphics): Promise<RawBrowser> {
    const chromium = await launchChromium(flags, graphics);
    const socket = new WebSocket(chromium.endpoint);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return new RawBrowser(chromium, socket);
  }

  /** @param ready - expression that is true when the page can be used */
  async open(url: string, ready = '"bench" in window'): Promise<RawPage> {
    const { targetId } = await this.send('Target.createTarget', { url });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new RawPage(this, String(sessionId));
    await page.waitFor(ready);
    return page;
  }

  async send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    const id = this.#nextId++;
    const reply = Promise.withResolvers<Record<string, unknown>>();
    this.#replies.set(id, reply);
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    return reply.promise;
  }

  /** Target ids of all running service workers. */
  async serviceWorkers(): Promise<string[]> {
    const targets = await this.send('Target.getTargets', { filter: [{}] });
    const { targetInfos } = v.parse(targetsSchema, targets);
    return targetInfos.flatMap(({ type, targetId }) => (type === 'service_worker' ? targetId : []));
  }

  /** Processor time of all processes of the browser since they started, seconds. */
  async cpuSeconds(): Promise<number> {
    const { processInfo } = v.parse(cpuSchema, await this.send('SystemInfo.getProcessInfo'));
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  }

  /**
   * Resolves when the browser has finished starting. When it can first be controlled, it still makes pages of its own,
   * which takes about half a second of processor time.
   */
  async settled(): Promise<void> {
    let before = await this.cpuSeconds();
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      const now = await this.cpuSeconds();
      if (now - before < QUIET_CPU_SECONDS) return;
      before = now;
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.#chromium.close();
  }

  #receive(text: string): void {
    const { id, result, error } = v.parse(replySchema, JSON.parse(text));
    if (id === undefined) return;
    const reply = this.#replies.get(id);
    this.#replies.delete(id);
    if (error) reply?.reject(new Error(error.message));
    else reply?.resolve(result ?? {});
  }
}

/** A page of the browser. */
export class RawPage {
  readonly #browser: RawBrowser;
  readonly #session: string;

  constructor(browser: RawBrowser, session: string) {
    this.#browser = browser;
    this.#session = session;
  }

  /**
   * Evaluates an expression in the page and awaits it if it is a promise.
   *
   * @throws Error with the page's message if the expression throws
   */
  async evaluate(expression: string): Promise<unknown> {
    const reply = await this.#browser.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      this.#session,
    );
    const { result, exceptionDetails } = v.parse(evaluationSchema, reply);
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Returns when the expression is true. Errors count as false: the page may still be loading. */
  async waitFor(expression: string, timeoutMs = 60_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!(await this.evaluate(expression).catch(() => false))) {
      if (performance.now() > deadline) throw new Error(`Not true in time: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Makes this tab the visible one: browsers slow down the others. */
  async bringToFront(): Promise<void> {
    await this.#browser.send('Page.bringToFront', {}, this.#session);
  }

  async close(): Promise<void> {
    await this.#browser.send('Page.close', {}, this.#session);
  }

  /** Stops every service worker, as the browser does with idle ones. Returns when they have stopped. */
  async stopServiceWorkers(): Promise<void> {
    const running = await this.#browser.serviceWorkers();
    await this.#browser.send('ServiceWorker.enable', {}, this.#session);
    await this.#browser.send('ServiceWorker.stopAllWorkers', {}, this.#session);
    // A page may restart its service worker at once, under a new id.
    const isRunning = (id: string) => running.includes(id);
    while ((await this.#browser.serviceWorkers()).some(isRunning));
  }
}
