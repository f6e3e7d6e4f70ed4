import { showPage, showProblem } from './page.ts';
import { topBar } from './top-bar.ts';
import { el } from './ui/dom.ts';

/** Shows that this page serves a local bridge, and serves it until it ends. */
export async function showBridgePage(params: URLSearchParams): Promise<void> {
  showPanel(
    'This page serves a local bridge.',
    'Programs on this computer reach its API through slashv1 serve. The bridge ends when this page is closed.',
  );
  try {
    const { runBridge } = await import('./bridge.ts');
    await runBridge(params);
    // The page has tried to close itself, but most browsers close only windows that a script opened.
    showPanel('The bridge has ended.', 'You can close this page.');
  } catch (error) {
    showProblem(error);
  }
}

function showPanel(title: string, text: string): void {
  const lead = el('p', { class: 'lead' }, text);
  const panel = el('section', { class: 'bridge', role: 'status' }, el('h1', {}, title), lead);
  showPage(topBar(), el('main', { class: 'scroller' }, panel));
}
