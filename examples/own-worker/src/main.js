import { start } from 'slashv1';

// vite-plugin-pwa registers the service worker.
const serviceWorker = await navigator.serviceWorker.ready;
const model = 'slashv1/tiny-chat';
const { baseURL, apiKey } = await start({ serviceWorker, model });

const response = await fetch(`${baseURL}/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${apiKey}` },
  body: JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
  }),
});
const { choices } = await response.json();
document.querySelector('#answer').textContent = choices[0].message.content;
