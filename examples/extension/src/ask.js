import { start } from './slashv1.js';

const model = 'slashv1/tiny-chat';

/** What the model answers. */
export async function ask(question) {
  // Pages of an extension have no service worker for their fetches. The files are beside this script.
  const v1 = await start({ base: new URL('.', import.meta.url), serviceWorker: false, model });
  const response = await v1.fetch(`${v1.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${v1.apiKey}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: question }] }),
  });
  const { choices } = await response.json();
  return choices[0].message.content;
}
