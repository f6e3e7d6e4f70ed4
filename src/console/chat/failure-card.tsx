import type { VNode } from 'preact';
import { TextButton } from '../ui/buttons.tsx';
import { Icon } from '../ui/icons.tsx';
import type { Failure, TooLong } from './api-failure.ts';

const TOO_LONG: Record<TooLong, string> = {
  message:
    'Your last message alone is longer than this model can hold, with its files and the system prompt. Shorten it, or choose a model with a longer context.',
  chat: 'Your last message fits, but the whole chat is longer than this model can hold.',
};

interface FailureProps {
  failure: Failure;
  onRetry?: () => void;
  onDropOldest?: () => void;
}

/** Why there is no answer, or not all of it, and what the user can do. */
export function FailureCard({ failure, onRetry, onDropOldest }: FailureProps): VNode {
  const { message, code, tooLong } = failure;
  const hint = tooLong ? TOO_LONG[tooLong] : failure.hint;
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <div>
        <p class="failure-message">{message}</p>
        {hint !== '' && <p class="failure-hint">{hint}</p>}
        {code !== '' && <code>{code}</code>}
      </div>
      {tooLong === 'chat' && onDropOldest && (
        <TextButton class="button primary" onClick={onDropOldest}>
          Leave out the oldest turns
        </TextButton>
      )}
      {onRetry && <TextButton onClick={onRetry}>Retry</TextButton>}
    </div>
  );
}
