import { isJson } from '../../../../core/text/is-json.ts';
import { KeywordArguments } from './keyword-arguments.ts';

/**
 * The JSON of a value that a model has written as JSON or as a Python literal; undefined if it is neither.
 */
export function valueJson(text: string): string | undefined {
  const trimmed = text.trim();
  return isJson(trimmed) ? trimmed : pythonJson(trimmed);
}

function pythonJson(text: string): string | undefined {
  if (!/^(?:True|False|None|[[{(][^]*)$/.test(text)) return undefined;
  const { json, isOver } = new KeywordArguments().read(`v=${text})`);
  const value = json.slice('{"v": '.length, -1);
  return isOver && isJson(value) ? value : undefined;
}
