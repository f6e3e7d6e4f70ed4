type Attribute = string | boolean | ((event: Event) => void) | undefined;

/** Attributes by name; a function listens to the event that its `on…` name says. */
export type Attributes = Record<string, Attribute>;

/** A piece of content; null and undefined leave nothing behind. */
export type Child = Node | string | null | undefined;

/** An element with its attributes, listeners and children. Text stays text: nothing is parsed as HTML. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function setAttribute(element: Element, name: string, value: Attribute): void {
  if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
  else if (typeof value === 'boolean') element.toggleAttribute(name, value);
  else if (value !== undefined) element.setAttribute(name, value);
}

/** True where a keyboard that covers half the screen opens with the focus. */
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
