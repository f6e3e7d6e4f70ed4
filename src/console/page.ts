import { problemView } from './problem/problem-view.ts';
import { topBar } from './top-bar.ts';
import { el } from './ui/dom.ts';

/** Everything the page shows: a bar, its main part, and dialogs that are closed. */
export function showPage(...parts: HTMLElement[]): void {
  document.getElementById('console')?.replaceChildren(...parts);
}

export function showProblem(error: unknown): void {
  showPage(topBar(), el('main', { class: 'scroller' }, problemView(error)));
}
