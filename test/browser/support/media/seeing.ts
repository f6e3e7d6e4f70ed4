import { readFileSync } from 'node:fs';
import { SEER } from '../site.ts';

interface Turn {
  role: 'user' | 'assistant';
  pictures: string[];
  text: string;
}

/** What tiny-see is asked, and its greedy answer. */
export interface SeenCase {
  messages: Turn[];
  answer: string;
}

const FIXTURES = new URL('../../../fixtures/', import.meta.url);

/** Questions with the answers of native llama.cpp. */
export const { cases } = JSON.parse(
  readFileSync(new URL('tiny-see-cases.json', FIXTURES), 'utf8'),
) as { cases: SeenCase[] };

export function pictureFile(name: string): Buffer {
  return readFileSync(new URL(`tiny-see/${name}`, FIXTURES));
}

/** A `data:` URL. */
export function picture(name: string): string {
  return `data:image/png;base64,${pictureFile(name).toString('base64')}`;
}

/** A chat request that shows pictures before the text of each message. */
export function showing({ messages }: Pick<SeenCase, 'messages'>, urlOf = picture) {
  return {
    model: SEER,
    temperature: 0,
    messages: messages.map(({ role, pictures, text }) => ({
      role,
      content: [
        ...pictures.map((name) => ({ type: 'image_url', image_url: { url: urlOf(name) } })),
        { type: 'text', text },
      ],
    })),
  };
}

/** One question about one picture. */
export function about(name: string, text: string): Pick<SeenCase, 'messages'> {
  return { messages: [{ role: 'user', pictures: [name], text }] };
}
