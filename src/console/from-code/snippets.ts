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
  return [
    {
      title: 'openai package',
      note: 'In any page, frame or worker of this site, while this tab is open.',
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
      note: 'Nothing to install: paste it into the developer tools of this tab.',
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
      title: 'Your own site',
      note: 'The slashv1 package puts the same API into your own page, with its own key.',
      code: `import { start } from 'slashv1';
import OpenAI from 'openai';

const { baseURL, apiKey } = await start();
const client = new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });`,
    },
    {
      title: 'curl',
      note: 'Programs outside the browser need the bridge. It serves a page’s API on 127.0.0.1 and prints its address and key.',
      code: `npx slashv1 serve --headless

curl -N http://127.0.0.1:<port>/v1/chat/completions \\
  -H 'Authorization: Bearer <key>' \\
  -d '{"model": "${model}", "stream": true,
       "messages": [{"role": "user", "content": "Hello!"}]}'`,
    },
  ];
}
