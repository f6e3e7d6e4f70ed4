import { start } from 'slashv1';

// All routes are index.html, also without a network.
const country = location.pathname === '/deep/page' ? 'Italy' : 'France';
document.querySelector('#country').textContent = country;

// In `vite dev`, vite-plugin-pwa serves the service worker as a module, under another name.
const { DEV } = import.meta.env;
const serviceWorker = await navigator.serviceWorker.register(DEV ? '/dev-sw.js?dev-sw' : '/sw.js', {
  type: DEV ? 'module' : 'classic',
});
const model = 'slashv1/tiny-chat';
const { baseURL, apiKey } = await start({ serviceWorker, model });

const response = await fetch(`${baseURL}/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${apiKey}` },
  body: JSON.stringify({
    model,
    messages: [{ role: 'user', content: `What is the capital of ${country}?` }],
  }),
});
const { choices } = await response.json();
document.querySelector('#answer').textContent = choices[0].message.content;
