type Attribute = string | boolean | ((event: Event) => void) | undefined;

/** Attributes by name. A function is added as a listener: `onclick` listens to `click`. */
export type Attributes = Record<string, Attribute>;

/** A piece of content; null and undefined are left out. */
export type Child = Node | string | null | undefined;

/** Makes an element with attributes, listeners and children. Strings become text, never HTML. */
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

/** Whether a text field that gets the focus opens an on-screen keyboard. */
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
