import { member } from '../../json.ts';
import { NamedList } from '../../ui/stored-list.ts';
import { text } from '../conversation/files/values.ts';

/** A text under a name, which a slash puts into a message. */
export interface SavedPrompt {
  name: string;
  text: string;
}

/** All saved prompts. */
export const savedPrompts = new NamedList<SavedPrompt>('prompts', (value) => {
  const [name, written] = [text(member(value, 'name')), text(member(value, 'text'))];
  return name === '' || written === '' ? undefined : { name, text: written };
});

/** Where the user goes on to write: at the first part in double braces, or else at the prompt's end. */
export function placeToFill(prompt: string): { start: number; end: number } {
  const found = /\{\{[^{}]*\}\}/.exec(prompt);
  const start = found?.index ?? prompt.length;
  return { start, end: start + (found?.[0].length ?? 0) };
}
