import { render } from 'preact';
import { Console } from './app/console.tsx';
import { keepFocus } from './app/kept-focus.ts';
import { BridgePage } from './bridge-page.tsx';
import { restoreLanguage } from './messages/language.ts';
import { restoreTheme } from './ui/theme.ts';

restoreTheme();
// The language is known before anything is drawn, so that no text changes its language.
await restoreLanguage();
const root = document.getElementById('console');
if (!root) throw new Error('The page has no element for the console.');
root.replaceChildren();
keepFocus(root);
const params = new URLSearchParams(location.hash.slice(1));
render(params.has('bridge') ? <BridgePage params={params} /> : <Console />, root);
