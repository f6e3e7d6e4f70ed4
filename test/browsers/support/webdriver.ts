import * as v from 'valibot';

const answerSchema = v.object({ value: v.unknown() });
const errorSchema = v.object({ error: v.string(), message: v.string() });
const sessionSchema = v.object({
  sessionId: v.string(),
  capabilities: v.looseObject({ browserVersion: v.string() }),
});
const windowSchema = v.object({ handle: v.string() });
/** How long a page's function and a page's load may take, milliseconds: longer than any test. */
const TIMEOUTS = { script: 600_000, pageLoad: 600_000 };

/**
 * A session of the W3C WebDriver protocol (https://www.w3.org/TR/webdriver2/). A driver runs one command at
 * a time, in the window that was chosen last; so commands for different windows wait for each other.
 */
export class WebDriverSession {
  readonly version: string;
  readonly #url: string;
  /** The window that the session began with. It stays open, because the last one would end the session. */
  readonly #first: string;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(url: string, first: string, version: string) {
    this.#url = url;
    this.#first = first;
    this.version = version;
  }

  /** @param driver - origin of the driver's server */
  static async open(driver: string, alwaysMatch: object): Promise<WebDriverSession> {
    const answer = await send('POST', `${driver}/session`, { capabilities: { alwaysMatch } });
    const { sessionId, capabilities } = v.parse(sessionSchema, answer);
    const url = `${driver}/session/${sessionId}`;
    await send('POST', `${url}/timeouts`, TIMEOUTS);
    const first = v.parse(v.string(), await send('GET', `${url}/window`));
    return new WebDriverSession(url, first, capabilities.browserVersion);
  }

  /** Opens a tab; returns its handle. */
  async newWindow(): Promise<string> {
    const answer = await this.#inWindow(this.#first, 'POST', 'window/new', { type: 'tab' });
    return v.parse(windowSchema, answer).handle;
  }

  async closeWindow(handle: string): Promise<void> {
    await this.#inWindow(handle, 'DELETE', 'window');
  }

  async navigate(handle: string, url: string): Promise<void> {
    await this.#inWindow(handle, 'POST', 'url', { url });
  }

  async reload(handle: string): Promise<void> {
    await this.#inWindow(handle, 'POST', 'refresh', {});
  }

  /** Evaluates an expression whose value is a promise, and resolves with what that resolves with. */
  evaluate(handle: string, expression: string): Promise<unknown> {
    const script = `(${expression}).then(arguments[0]);`;
    return this.#inWindow(handle, 'POST', 'execute/async', { script, args: [] });
  }

  #inWindow(handle: string, method: string, path: string, body?: object): Promise<unknown> {
    return this.#inTurn(async () => {
      await send('POST', `${this.#url}/window`, { handle });
      return send(method, `${this.#url}/${path}`, body);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** @throws Error with the driver's message */
async function send(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = v.parse(answerSchema, await response.json());
  if (response.ok) return value;
  const { error, message } = v.parse(errorSchema, value);
  throw new Error(`WebDriver: ${error}: ${message}`);
}
