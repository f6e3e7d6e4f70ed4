import type { VNode } from 'preact';
import { TextButton } from '../ui/buttons.tsx';
import { Icon } from '../ui/icons.tsx';
import type { Failure } from './api-failure.ts';

interface FailureProps {
  failure: Failure;
  onRetry?: () => void;
  onDropOldest?: () => void;
}

/** Why there is no answer, or not all of it, and what the user can do. */
export function FailureCard({ failure, onRetry, onDropOldest }: FailureProps): VNode {
  const { message, hint, code } = failure;
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <div>
        <p class="failure-message">{message}</p>
        {hint !== '' && <p class="failure-hint">{hint}</p>}
        {code !== '' && <code>{code}</code>}
      </div>
      {failure.overflow && onDropOldest && (
        <TextButton class="button primary" onClick={onDropOldest}>
          Leave out the oldest turns
        </TextButton>
      )}
      {onRetry && <TextButton onClick={onRetry}>Retry</TextButton>}
    </div>
  );
}
