import { start } from 'slashv1';

const model = 'slashv1/tiny-chat';

/** What the model answers. */
export async function ask(question: string): Promise<string> {
  // Angular serves the folder `public` where `<base href>` says.
  const { baseURL, apiKey } = await start({ base: document.baseURI, model });
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: question }] }),
  });
  const { choices } = await response.json();
  return choices[0].message.content;
}
