import type { VNode } from 'preact';
import { IconButton } from '../ui/buttons.tsx';
import type { Dictation, DictationState } from './dictation.ts';

interface DictateProps {
  dictation: Dictation;
  /** Of the transcription model. */
  model: string;
  onText: (piece: string) => void;
}

/** Starts and ends a dictation. */
export function DictateButton({ dictation, model, onText }: DictateProps): VNode {
  const { name } = dictation.state.value;
  if (name === 'recording') {
    return (
      <IconButton
        icon="stop"
        label="End the dictation"
        class="icon-button recording"
        onClick={() => void dictation.finish(model, onText)}
      />
    );
  }
  return (
    <IconButton
      icon="microphone"
      label="Dictate"
      disabled={name === 'asking' || name === 'writing'}
      onClick={() => void dictation.start()}
    />
  );
}

/** What happens now, or why nothing does. Empty while nothing is dictated. */
export function describeDictation(state: DictationState): string {
  switch (state.name) {
    case 'idle':
      return '';
    case 'asking':
      return 'Waiting for the microphone…';
    case 'recording':
      return `Recording: ${state.seconds} s`;
    case 'writing':
      return 'Writing down what was said…';
    case 'failed':
      return state.reason;
  }
}
