import type { Tool } from '../../../../../src/core/operations/jobs/jobs.ts';
import type {
  CallFormat,
  WrittenCall,
} from '../../../../../src/engine/conversation/tools/format/call-format.ts';
import { CallParser } from '../../../../../src/engine/conversation/tools/call-parser.ts';

/** What is parsed from an output that arrives in these pieces: the text in it, and the calls. */
export function readCalls(
  format: CallFormat,
  tools: readonly Tool[],
  pieces: readonly string[],
): { text: string; calls: WrittenCall[] } {
  const parser = new CallParser(format, tools);
  const output = pieces.join('');
  const calls: WrittenCall[] = [];
  let text = '';
  for (const part of [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)]) {
    const last = calls.at(-1);
    if (part.type === 'call') calls.push({ name: part.name, json: '' });
    else if (part.type === 'arguments' && last) last.json += part.text;
    else if (part.type === 'text') {
      text += part.text;
      if (output.slice(part.end - part.text.length, part.end) !== part.text) {
        throw new Error(`${part.text} does not end at ${part.end}.`);
      }
    }
  }
  return { text, calls };
}
