import { settingFields } from '../chat/answer/api-client.ts';
import type { ChatSettings } from '../chat/conversation/conversation.ts';
import { indentedJson } from '../json.ts';
import { messages } from '../messages/messages.ts';
import type { Sampling } from '../models/best/curated.ts';
import { jsLiteral, PY_CLIENT, pyArguments } from './literals.ts';

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
  /** Settings of the chat that the code asks as; undefined: none. */
  settings?: ChatSettings;
  /** How the chat samples unless its settings say otherwise. */
  sampling?: Sampling;
}

export function snippets({ baseURL, apiKey, model, settings, sampling }: Endpoint): Snippet[] {
  const text = messages.value.fromCode;
  const body = { model, ...asked(settings, sampling) };
  const streamed = { ...body, stream: true };
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

const stream = await client.chat.completions.create(${jsLiteral(streamed)});

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
  body: JSON.stringify(${jsLiteral(body, '  ')}),
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
  -d ${shellQuoted(indentedJson(streamed))}`,
    },
    {
      title: 'Python',
      note: text.pythonNote,
      code: `${PY_CLIENT}
stream = client.chat.completions.create(${pyArguments(streamed)})

for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")`,
    },
  ];
}

function asked(settings?: ChatSettings, sampling?: Sampling) {
  const user = { role: 'user', content: 'Hello!' };
  if (!settings) return { messages: [user] };
  const { system } = settings;
  const told = system === '' ? [] : [{ role: 'system', content: system }];
  return { messages: [...told, user], ...sampling, ...settingFields(settings) };
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
