import { el } from '../ui/dom.ts';

/** What to do, as a list. Text between backticks becomes code. */
export function stepList(steps: readonly string[]): HTMLElement {
  return el('ol', { class: 'steps' }, ...steps.map((step) => el('li', {}, ...withCode(step))));
}

function withCode(text: string): Node[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? el('code', {}, part) : document.createTextNode(part)));
}
