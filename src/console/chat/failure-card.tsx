import type { VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Icon } from '../ui/icons.tsx';
import type { Failure } from './answer/api-failure.ts';

interface FailureProps {
  failure: Failure;
  onRetry?: () => void;
  onDropOldest?: () => void;
}

/** Why there is no answer, or not all of it, and what the user can do. */
export function FailureCard({ failure, onRetry, onDropOldest }: FailureProps): VNode {
  const { message, code, tooLong } = failure;
  const text = messages.value.failure;
  const tooLongHint = tooLong === 'message' ? text.messageTooLong : text.chatTooLong;
  const hint = tooLong ? tooLongHint : failure.hint;
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
          {text.dropOldest}
        </TextButton>
      )}
      {onRetry && <TextButton onClick={onRetry}>{text.retry}</TextButton>}
    </div>
  );
}
