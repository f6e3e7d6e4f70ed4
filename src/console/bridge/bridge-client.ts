import {
  decodeBodyFrame,
  parseToBridgePage,
  type BridgedUpstream,
  type FromBridgePage,
  type ToBridgePage,
} from '../../core/realms/bridge-messages.ts';
import {
  StartError,
  type ApiRequest,
  type Models,
  type Slashv1,
  type StartOptions,
  type UpstreamOptions,
} from '../../index.ts';
import { Answer } from './answer.ts';
import { messageOf } from '../../core/text/message-of.ts';

type Installer = Pick<Models, 'add' | 'install'>;
type Start = (
  options: StartOptions,
) => Promise<Pick<Slashv1, 'baseURL' | 'requests'> & { models: Installer }>;

/** The page's end of the bridge: starts the API when told to, then answers requests with `fetch`. */
export class BridgeClient {
  readonly #socket: WebSocket;
  readonly #start: Start;
  readonly #answers = new Map<number, Answer>();
  #baseURL = '';

  constructor(socket: WebSocket, start: Start) {
    this.#socket = socket;
    this.#start = start;
    socket.binaryType = 'arraybuffer';
  }

  /** Resolves when the bridge has disconnected. Rejects if the API cannot be started. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
        this.#onFrame(data).catch(reject);
      });
      this.#socket.addEventListener('close', () => {
        for (const answer of this.#answers.values()) answer.abort();
        resolve();
      });
    });
  }

  async #onFrame(data: string | ArrayBuffer): Promise<void> {
    if (typeof data === 'string') return this.#onMessage(parseToBridgePage(data));
    const { id, bytes } = decodeBodyFrame(new Uint8Array(data));
    this.#answers.get(id)?.addBody(bytes);
  }

  async #onMessage(message: ToBridgePage): Promise<void> {
    switch (message.type) {
      case 'start':
        return this.#onStart(message);
      case 'request':
        this.#answers.set(message.id, new Answer(message, this.#sender));
        return;
      case 'request-end':
        return this.#run(message.id);
      case 'credit':
        return this.#answers.get(message.id)?.credit(message.bytes);
      case 'abort':
        this.#answers.get(message.id)?.abort();
        this.#answers.delete(message.id);
    }
  }

  async #onStart({
    apiKey,
    model,
    others = [],
    reportsRequests,
    options: { upstreams, ...options },
  }: Extract<ToBridgePage, { type: 'start' }>): Promise<void> {
    try {
      const { baseURL, models, requests } = await this.#start({
        apiKey,
        ...(model !== undefined && { model }),
        ...options,
        ...(upstreams && { upstreams: upstreams.map(upstreamOptions) }),
        onProgress: (progress) => this.#send({ type: 'progress', progress }),
      });
      this.#baseURL = baseURL;
      for (const other of others) await install(models, other);
      if (reportsRequests) await requests.watch((request) => this.#report(request));
      this.#send({ type: 'ready' });
    } catch (error) {
      this.#send(failure(error));
      throw error;
    }
  }

  async #run(id: number): Promise<void> {
    await this.#answers.get(id)?.run(this.#baseURL);
    this.#answers.delete(id);
  }

  /** Reports a request once, when it has ended, without its parameters and route. */
  #report(request: ApiRequest): void {
    const {
      id: _id,
      parameters: _parameters,
      route: _route,
      durationMs,
      error,
      ...facts
    } = request;
    if (durationMs === undefined || this.#socket.readyState !== WebSocket.OPEN) return;
    const code = error && { error: { code: error.code } };
    this.#send({ type: 'watched', request: { ...facts, durationMs, ...code } });
  }

  #send(message: FromBridgePage): void {
    this.#socket.send(JSON.stringify(message));
  }

  readonly #sender = {
    send: (message: FromBridgePage) => this.#send(message),
    sendBody: (frame: Uint8Array<ArrayBuffer>) => this.#socket.send(frame),
  };
}

/** @throws StartError `model_failed` */
async function install(models: Installer, source: string): Promise<void> {
  try {
    await models.install(await models.add(source));
  } catch (cause) {
    const why = messageOf(cause);
    throw new StartError('model_failed', `The model '${source}' could not be installed: ${why}`, {
      cause,
    });
  }
}

/** Options for an upstream that serves all models that it lists and this device does not know. */
function upstreamOptions({ name, baseURL, token }: BridgedUpstream): UpstreamOptions {
  const headers = { authorization: `Bearer ${token}` };
  return { name, baseURL, models: '*', ...(token !== undefined && { headers }) };
}

function failure(error: unknown): FromBridgePage {
  if (!(error instanceof Error)) return { type: 'failed', message: String(error) };
  const { message } = error;
  const hasCode = 'code' in error && typeof error.code === 'string';
  return { type: 'failed', message, ...(hasCode && { code: String(error.code) }) };
}
