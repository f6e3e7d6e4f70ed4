import type { GenerateEvent, PromptUsage } from '../../../core/operations/events/events.ts';
import type { Sampling } from '../../../core/operations/jobs/jobs.ts';
import type { ParsedEvent } from './output-parser.ts';

/** @param sampling - as it is used */
export function started(prompt: PromptUsage | undefined, sampling: Sampling): GenerateEvent {
  const { temperature = 1, topP = 1 } = sampling;
  return { type: 'start', ...(prompt && { prompt }), sampling: { temperature, topP } };
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
