import type { GenerateEvent, PromptUsage } from '../../../core/operations/events.ts';
import type { ParsedEvent } from './output-parser.ts';

export function started(prompt: PromptUsage | undefined): GenerateEvent {
  return { type: 'start', ...(prompt && { prompt }) };
}

/** @param tokens - of the answer so far */
export function counted(event: GenerateEvent, tokens: number): GenerateEvent {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'tool-arguments':
      return { ...event, tokens };
    case 'queued':
    case 'reading':
    case 'scored':
    case 'start':
    case 'written':
    case 'tool-call':
    case 'finish':
      return event;
  }
}

export function withoutPlace(event: ParsedEvent): GenerateEvent {
  return event.type === 'text' ? { type: 'text', text: event.text } : event;
}
