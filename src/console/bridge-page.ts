import { showPage, showProblem } from './page.ts';
import { topBar } from './top-bar.ts';
import { el } from './ui/dom.ts';

/** Shows that this page serves a local bridge, and serves it until it ends. */
export async function showBridgePage(params: URLSearchParams): Promise<void> {
  showPage(topBar(), el('main', { class: 'scroller' }, panel()));
  try {
    const { runBridge } = await import('./bridge.ts');
    await runBridge(params);
  } catch (error) {
    showProblem(error);
  }
}

function panel(): HTMLElement {
  return el(
    'section',
    { class: 'bridge' },
    el('h1', {}, 'This page serves a local bridge.'),
    el(
      'p',
      { class: 'lead' },
      'Programs on this computer reach its API through slashv1 serve. Leave the page open: with it, the bridge ends.',
    ),
  );
}
