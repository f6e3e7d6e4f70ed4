import { messages } from '../messages/messages.ts';

/** One example of using this page's API from code. */
export interface Snippet {
  title: string;
  /** Where it runs and what it needs. */
  note: string;
  code: string;
}

export interface Endpoint {
  baseURL: string;
  apiKey: string;
  model: string;
}

export function snippets({ baseURL, apiKey, model }: Endpoint): Snippet[] {
  const text = messages.value.fromCode;
  return [
    {
      title: text.openai,
      note: text.openaiNote,
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseURL}',
  apiKey: '${apiKey}',
  dangerouslyAllowBrowser: true,
});

const stream = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello!' }],
  stream: true,
});

for await (const chunk of stream) {
  console.log(chunk.choices[0]?.delta.content ?? '');
}`,
    },
    {
      title: 'fetch',
      note: text.fetchNote,
      code: `const response = await fetch('${baseURL}/chat/completions', {
  method: 'POST',
  headers: { Authorization: 'Bearer ${apiKey}' },
  body: JSON.stringify({
    model: '${model}',
    messages: [{ role: 'user', content: 'Hello!' }],
  }),
});

const { choices } = await response.json();
console.log(choices[0].message.content);`,
    },
    {
      title: text.ownSite,
      note: text.ownSiteNote,
      code: `import { start } from 'slashv1';
import OpenAI from 'openai';

const { baseURL, apiKey } = await start();
const client = new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });`,
    },
    {
      title: 'curl',
      note: text.curlNote,
      code: `npx slashv1 serve --headless

curl -N http://127.0.0.1:<port>/v1/chat/completions \\
  -H 'Authorization: Bearer <key>' \\
  -d '{"model": "${model}", "stream": true,
       "messages": [{"role": "user", "content": "Hello!"}]}'`,
    },
  ];
}
