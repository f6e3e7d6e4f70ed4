import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { DrivenPage } from '../../browser/support/browser/driven-page.ts';

/** A tab; all drivers offer this interface. */
export interface Tab extends DrivenPage {
  /** Returns when the page has loaded. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** How a browser is started. */
export interface LaunchOptions {
  /** Tabs are private windows. */
  isPrivate?: boolean;
  /** When Firefox stops a service worker that gets no events, milliseconds; its own default is 30,000. */
  serviceWorkerIdleMs?: number;
  /** Enables WebGPU in Firefox where it is off by default: on Linux, and with a driver that computes on the CPU. */
  webgpu?: boolean;
}

/** A running browser with a new profile. */
export interface DrivenBrowser {
  readonly version: string;
  newTab(): Promise<Tab>;
  /**
   * Lets the browser stop idle service workers; they may stop some time after it returns. In WebKit, the
   * tab that registered them must be closed: they run in its process.
   */
  stopServiceWorkers(): Promise<void>;
  /** Ends the browser and deletes its profile. */
  close(): Promise<void>;
}

/** What differs between the drivers' tabs. */
export interface TabCommands {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  /** Evaluates an expression in the page, and resolves with the text that its promise resolves with. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

const outcomeSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.object({ failure: v.string() }), v.object({ result: v.optional(v.unknown()) })]),
);

export function tabOf(commands: TabCommands): Tab {
  const evaluate = async <R, A>(
    work: (argument: A) => R | Promise<R>,
    argument?: A,
  ): Promise<R> => {
    const answer = await commands.evaluate(expressionOf(String(work), argument));
    const outcome = v.parse(outcomeSchema, answer);
    if ('failure' in outcome) throw new Error(outcome.failure);
    return outcome.result as R;
  };
  return {
    evaluate,
    goto: async (url) => void (await commands.goto(url)),
    reload: async () => void (await commands.reload()),
    close: () => commands.close(),
    // The test's timeout ends it. Waiting inside the page would block WebDriver's other tabs.
    waitForFunction: async (condition, argument, { polling }) => {
      while (!(await evaluate(condition, argument))) await pause(polling);
    },
  };
}

/** An expression that calls a function. Its result is JSON text: the drivers' own formats differ in what they lose. */
function expressionOf(work: string, argument: unknown): string {
  const given = argument === undefined ? 'undefined' : JSON.stringify(argument);
  return `Promise.resolve(${given}).then(${work}).then(
    (result) => JSON.stringify({ result }),
    (error) => JSON.stringify({ failure: String(error) }),
  )`;
}
