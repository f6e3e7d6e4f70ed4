import { problemView } from './problem/problem-view.ts';
import { topBar } from './top-bar.ts';
import { el } from './ui/dom.ts';

/** Replaces everything that the page shows: the top bar, the main part and the closed dialogs. */
export function showPage(...parts: HTMLElement[]): void {
  document.getElementById('console')?.replaceChildren(...parts);
}

/** Shows why the page cannot serve, instead of everything else. */
export function showProblem(error: unknown): void {
  showPage(topBar(), el('main', { class: 'scroller' }, problemView(error)));
}
