type Handler<E extends Event> = ((event: E) => unknown) | null;

/** What an attribute such as `oncontextoverflow` is behind: a listener that can be replaced. */
export class EventHandler<E extends Event> {
  readonly #target: EventTarget;
  readonly #type: string;
  #handler: Handler<E> = null;
  #isListening = false;

  constructor(target: EventTarget, type: string) {
    this.#target = target;
    this.#type = type;
  }

  get value(): Handler<E> {
    return this.#handler;
  }

  set value(handler: Handler<E>) {
    this.#handler = typeof handler === 'function' ? handler : null;
    if (this.#isListening) return;
    this.#isListening = true;
    this.#target.addEventListener(this.#type, (event) =>
      this.#handler?.call(this.#target, event as E),
    );
  }
}
