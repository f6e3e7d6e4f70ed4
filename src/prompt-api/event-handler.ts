type Handler<E extends Event> = ((event: E) => unknown) | null;

/** The replaceable listener behind an attribute such as `oncontextoverflow`. */
export class EventHandler<E extends Event> {
  readonly #target: EventTarget;
  readonly #type: string;
  #handler: Handler<E> = null;
  #isListening = false;

  readonly #isOfType: (event: Event) => event is E;

  /** @param isOfType - type guard for this event type's class */
  constructor(target: EventTarget, type: string, isOfType: (event: Event) => event is E) {
    this.#target = target;
    this.#type = type;
    this.#isOfType = isOfType;
  }

  get value(): Handler<E> {
    return this.#handler;
  }

  set value(handler: Handler<E>) {
    this.#handler = typeof handler === 'function' ? handler : null;
    if (this.#isListening) return;
    this.#isListening = true;
    this.#target.addEventListener(this.#type, (event) => {
      if (this.#isOfType(event)) this.#handler?.call(this.#target, event);
    });
  }
}
