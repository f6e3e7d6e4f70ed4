import type { VNode } from 'preact';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatNumber } from '../ui/format.ts';
import { shownTurns, type Conversation } from './conversation/conversation.ts';

interface MeterProps {
  conversation: Conversation;
  /** Tokens that the model holds; undefined: unknown. */
  context: number | undefined;
}

/** How much of the model's context the chat takes, as counted for its last answer. Nothing if that is unknown. */
export function ContextMeter({ conversation, context }: MeterProps): VNode | null {
  const { figures } = shownTurns(conversation).findLast((turn) => turn.figures) ?? {};
  if (!figures || context === undefined) return null;
  const used = figures.promptTokens + figures.completionTokens;
  const share = Math.min(1, used / context);
  const text = fill(messages.value.chat.context, {
    used: formatNumber(used),
    all: formatNumber(context),
  });
  return (
    <span
      class={share > 0.9 ? 'context-meter full' : 'context-meter'}
      role="meter"
      aria-label={text}
      aria-valuemin={0}
      aria-valuemax={context}
      aria-valuenow={used}
      title={text}
      style={{ '--share': `${share * 360}deg` }}
    />
  );
}
