type Handler<E extends Event> = ((event: E) => unknown) | null;

/** What an attribute such as `oncontextoverflow` is behind: one listener that can be replaced. */
export class EventHandler<E extends Event> {
  #handler: Handler<E> = null;

  constructor(target: EventTarget, type: string) {
    target.addEventListener(type, (event) => {
      this.#handler?.call(target, event as E);
    });
  }

  get value(): Handler<E> {
    return this.#handler;
  }

  set value(handler: Handler<E>) {
    this.#handler = typeof handler === 'function' ? handler : null;
  }
}
