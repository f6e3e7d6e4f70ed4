import { textButton } from '../ui/buttons.ts';
import { detectBrowser } from './browser.ts';
import { el } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { describeProblem, type Surroundings } from './problem.ts';
import { stepList } from './steps.ts';

/** Shown instead of the chat when the page cannot serve. */
export function problemView(error: unknown): HTMLElement {
  const { title, explanation, steps, technical } = describeProblem(error, surroundings());
  return el(
    'section',
    { class: 'problem', role: 'alert' },
    icon('warning'),
    el('h1', {}, title),
    el('p', {}, explanation),
    el('h2', {}, 'What to do'),
    stepList(steps),
    textButton('Reload the page', () => location.reload(), { class: 'button primary' }),
    el('p', { class: 'technical' }, el('code', {}, technical)),
  );
}

function surroundings(): Surroundings {
  return {
    browser: detectBrowser(navigator.userAgent, navigator.maxTouchPoints),
    url: new URL(location.href),
    hasWebgpu: 'gpu' in navigator,
  };
}
