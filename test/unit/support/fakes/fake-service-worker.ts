import * as v from 'valibot';
import {
  toServiceWorkerSchema,
  type ToPage,
  type ToServiceWorker,
} from '../../../../src/core/realms/messages.ts';

/** The only page that the service worker knows. */
const PAGE = 'this page';

/** A service worker as its pages see it: a state, and messages that it takes. */
export class FakeServiceWorker extends EventTarget {
  state: ServiceWorkerState;
  readonly scriptURL: string;
  /** All messages that the worker got, in order. */
  readonly received: ToServiceWorker[] = [];
  onReceived: ((message: ToServiceWorker, port: MessagePort | undefined) => void) | undefined;

  constructor(state: ServiceWorkerState = 'activated', scriptURL = '') {
    super();
    this.state = state;
    this.scriptURL = scriptURL;
  }

  postMessage(data: unknown, [port]: MessagePort[] = []): void {
    const message = v.parse(toServiceWorkerSchema, data);
    this.received.push(message);
    queueMicrotask(() => this.onReceived?.(message, port));
  }

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

/** A registration whose workers a test sets. */
export class FakeRegistration extends EventTarget {
  scope = '';
  active: FakeServiceWorker | null = null;
  waiting: FakeServiceWorker | null = null;
  installing: FakeServiceWorker | null = null;
}

/**
 * The `navigator.serviceWorker` of one page. Behind it is a service worker that relays ports between the
 * page and the tab that leads, which may be the same page. The service worker itself needs no port, because
 * nothing is fetched.
 */
export class FakeContainer extends EventTarget {
  readonly registration = new FakeRegistration();
  controller: FakeServiceWorker | null = null;
  /** URLs of the scripts that were registered. */
  readonly registered: string[] = [];
  /** What `register` fails with. */
  failure: Error | undefined;
  /** Whether the service worker claims pages. */
  claims = true;

  register(script: string | URL): Promise<FakeRegistration> {
    this.registered.push(String(script));
    if (this.failure) return Promise.reject(this.failure);
    if (!this.registration.active) {
      const worker = new FakeServiceWorker('activated', new URL(script, document.baseURI).href);
      worker.onReceived = (message, port) => this.#relay(worker, message, port);
      this.registration.active = worker;
    }
    return Promise.resolve(this.registration);
  }

  getRegistration(): Promise<FakeRegistration> {
    return Promise.resolve(this.registration);
  }

  startMessages(): void {
    // Nothing is held back here.
  }

  /** Sends a message to the page, as the service worker does. */
  say(data: ToPage | null, ...ports: MessagePort[]): void {
    this.dispatchEvent(new MessageEvent('message', { data, ports }));
  }

  #relay(worker: FakeServiceWorker, message: ToServiceWorker, port: MessagePort | undefined): void {
    const nonce = 'nonce' in message ? { nonce: message.nonce } : {};
    switch (message.type) {
      case 'slashv1:claim':
        if (!this.claims) {
          this.say({ type: 'slashv1:claim-refused' });
          break;
        }
        this.controller = worker;
        this.dispatchEvent(new Event('controllerchange'));
        break;
      case 'slashv1:connect':
        this.say({
          type: 'slashv1:port-wanted',
          for: PAGE,
          ...nonce,
          base: this.registration.scope,
        });
        break;
      case 'slashv1:port':
        if (!port) break;
        if (message.for === PAGE)
          this.say({ type: 'slashv1:port', lock: message.lock, ...nonce }, port);
        else port.close();
        break;
      case 'slashv1:no-port':
      case 'slashv1:awake':
      case 'slashv1:update-waits':
      case 'slashv1:take-over':
        break;
    }
  }
}
