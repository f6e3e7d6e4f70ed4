import { copyButton } from '../ui/buttons.ts';
import { el } from '../ui/dom.ts';

const SUGGESTIONS = [
  'What is the capital of France?',
  'Write a poem about the sea.',
  'Why is the sky blue?',
];

const LEAD =
  'It speaks OpenAI’s protocol, and the model behind it runs on your own device. What you type stays on this device.';

/**
 * Shown while the conversation is empty: what this page is, its base URL and suggestions.
 *
 * @param note - what else there is to say; null: nothing
 */
export function welcome(
  baseURL: string,
  onSuggestion: (text: string) => void,
  note: HTMLElement | null,
): HTMLElement {
  const chips = SUGGESTIONS.map((text) =>
    el('button', { type: 'button', class: 'chip', onclick: () => onSuggestion(text) }, text),
  );
  return el(
    'section',
    { class: 'welcome' },
    el('h1', {}, 'This page is an API.'),
    el('p', { class: 'lead' }, LEAD),
    address(baseURL),
    el('div', { class: 'chips', role: 'group', 'aria-label': 'Suggestions' }, ...chips),
    note,
  );
}

function address(baseURL: string): HTMLElement {
  return el(
    'div',
    { class: 'address' },
    el('code', { title: baseURL }, ...splitAtPath(baseURL)),
    copyButton('Copy base URL', () => baseURL),
  );
}

/** Emphasises the end of the URL, `/v1`. */
function splitAtPath(baseURL: string): (string | Node)[] {
  const start = baseURL.lastIndexOf('/v1');
  return start === -1 ? [baseURL] : [baseURL.slice(0, start), el('em', {}, baseURL.slice(start))];
}
