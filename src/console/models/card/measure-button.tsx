import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import type { CatalogModel } from '../../../index.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { messageOf } from '../../../core/text/message-of.ts';

interface MeasureProps {
  session: Session;
  model: CatalogModel;
}

/** Measures how fast a model is on this device; pressed again, it stops. */
export function MeasureButton({ session: { v1, shelf }, model }: MeasureProps): VNode {
  const { actions, measurement } = messages.value.models;
  const running = useRef<AbortController>(null);
  const isRunning = useSignal(false);
  const failure = useSignal('');
  useEffect(() => () => running.current?.abort(), []);
  const measure = async () => {
    const measuring = new AbortController();
    running.current = measuring;
    isRunning.value = true;
    failure.value = '';
    try {
      await v1.models.measure(model.id, { signal: measuring.signal });
      await shelf.refresh();
    } catch (error) {
      if (!measuring.signal.aborted) failure.value = messageOf(error);
    } finally {
      isRunning.value = false;
    }
  };
  return (
    <>
      {isRunning.value ? (
        <TextButton onClick={() => running.current?.abort()}>{actions.stopMeasuring}</TextButton>
      ) : (
        <TextButton onClick={() => void measure()}>{actions.measure}</TextButton>
      )}
      <span class="note" role="status">
        {isRunning.value ? measurement.running : failure}
      </span>
    </>
  );
}
