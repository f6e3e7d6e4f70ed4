import type { VNode } from 'preact';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { IconButton } from '../ui/buttons.tsx';
import { formatNumber } from '../ui/format.ts';
import type { Dictation, DictationState } from './dictation.ts';

interface DictateProps {
  dictation: Dictation;
  /** Id of the transcription model. */
  model: string;
  onText: (piece: string) => void;
}

/** Starts and ends a dictation. */
export function DictateButton({ dictation, model, onText }: DictateProps): VNode {
  const { name } = dictation.state.value;
  const text = messages.value.dictation;
  if (name === 'recording') {
    return (
      <IconButton
        icon="stop"
        label={text.end}
        class="icon-button recording"
        onClick={() => void dictation.finish(model, onText)}
      />
    );
  }
  // The button keeps the focus, so that the same key ends the dictation.
  const isBusy = name === 'asking' || name === 'writing';
  return (
    <IconButton
      icon="microphone"
      label={text.start}
      aria-disabled={isBusy}
      onClick={() => !isBusy && void dictation.start()}
    />
  );
}

/** Describes the state, or why the dictation failed. Empty while nothing is dictated. */
export function describeDictation(state: DictationState): string {
  const text = messages.value.dictation;
  switch (state.name) {
    case 'idle':
      return '';
    case 'asking':
      return text.asking;
    case 'recording':
      return fill(text.recording, {
        time: fill(messages.value.ui.seconds, { count: formatNumber(state.seconds) }),
      });
    case 'writing':
      return text.writing;
    case 'failed':
      return state.reason;
  }
}
