export const TINY = 'slashv1/tiny-chat';
export const KEY = `sk-slashv1-${'Az09_-'.repeat(7)}x`;

export function ask(content: string) {
  return { model: TINY, messages: [{ role: 'user' as const, content }], temperature: 0 };
}
