import { start } from './slashv1.js';

const model = 'slashv1/tiny-chat';

/** What the model answers. */
export async function ask(question) {
  // The folder of this file has sw.js, too: pages may be anywhere below it.
  const { baseURL, apiKey } = await start({ base: new URL('.', import.meta.url), model });
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: question }] }),
  });
  const { choices } = await response.json();
  return choices[0].message.content;
}
