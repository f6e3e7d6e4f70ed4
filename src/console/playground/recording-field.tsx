import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { record, type Recording } from '../dictation/microphone.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatNumber } from '../ui/format.ts';
import { messageOf } from '../../core/text/message-of.ts';
import { FileField, fileDraft } from './file-field.tsx';

/** A recording from a file or from the microphone. */
export function RecordingField(): VNode {
  const text = messages.value.playground.recording;
  const seconds = useSignal<number | null>(null);
  const failure = useSignal('');
  const recording = useRef<Recording | undefined>(undefined);
  const isRecording = seconds.value !== null;
  // Leaving the page frees the microphone.
  useEffect(() => () => void recording.current?.stop(), []);
  const begin = async () => {
    failure.value = '';
    seconds.value = 0;
    try {
      recording.current = await record((count) => (seconds.value = count));
    } catch (error) {
      failure.value = messageOf(error);
      seconds.value = null;
    }
  };
  const end = async () => {
    const sound = await recording.current?.stop();
    recording.current = undefined;
    seconds.value = null;
    if (sound) fileDraft.value = new File([sound], 'recording', { type: sound.type });
  };
  return (
    <FileField
      title={text.title}
      missing={text.missing}
      accept="audio/*,video/*"
      status={failure.value || describe(seconds.value)}
      isBusy={isRecording}
    >
      <TextButton onClick={() => void (isRecording ? end() : begin())}>
        {isRecording ? text.end : text.start}
      </TextButton>
    </FileField>
  );
}

function describe(seconds: number | null): string {
  const { playground, ui } = messages.value;
  if (seconds === null) return '';
  const time = fill(ui.seconds, { count: formatNumber(seconds) });
  return fill(playground.recording.running, { time });
}
