import { signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { record, type Recording } from '../dictation/microphone.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** The recording that the next request is sent with; null: none yet. It is in memory only. */
export const recordingDraft = signal<File | null>(null);

/** A recording from a file or from the microphone. */
export function RecordingField(): VNode {
  const text = messages.value.playground.recording;
  const input = useRef<HTMLInputElement>(null);
  const seconds = useSignal<number | null>(null);
  const failure = useSignal('');
  const recording = useRef<Recording | undefined>(undefined);
  const file = recordingDraft.value;
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
    if (sound) recordingDraft.value = new File([sound], 'recording', { type: sound.type });
  };
  return (
    <fieldset class="labelled">
      <legend>{text.title}</legend>
      <input
        ref={input}
        type="file"
        hidden
        accept="audio/*,video/*"
        aria-label={text.title}
        onChange={({ currentTarget }) => {
          recordingDraft.value = currentTarget.files?.[0] ?? recordingDraft.value;
        }}
      />
      <div class="button-row">
        <TextButton disabled={isRecording} onClick={() => input.current?.click()}>
          {text.choose}
        </TextButton>
        <TextButton onClick={() => void (isRecording ? end() : begin())}>
          {isRecording ? text.end : text.start}
        </TextButton>
      </div>
      <small role="status">{failure.value || describe(file, seconds.value) || text.missing}</small>
    </fieldset>
  );
}

function describe(file: File | null, seconds: number | null): string {
  const { playground, ui } = messages.value;
  const text = playground.recording;
  if (seconds !== null)
    return fill(text.running, { time: fill(ui.seconds, { count: formatNumber(seconds) }) });
  return file ? `${file.name}, ${formatBytes(file.size)}` : '';
}
