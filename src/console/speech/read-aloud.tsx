import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { messages } from '../messages/messages.ts';
import { IconButton } from '../ui/buttons.tsx';
import { SentenceSpeaker } from './sentence-speaker.ts';
import { readySpeaker } from './speakers.ts';
import { spokenText } from './spoken-text.ts';

interface ReadAloudProps {
  session: Session;
  /** The answer, as Markdown. */
  text: string;
  onClose: () => void;
}

/** Reads an answer aloud below it, from its first sentence on, while the next ones are still being made. */
export function ReadAloud({ session: { v1, shelf }, text, onClose }: ReadAloudProps): VNode {
  const words = messages.value.speech;
  const failure = useSignal('');
  const isWaiting = useSignal(true);
  const audio = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const speaker = readySpeaker(shelf.all.value);
    const element = audio.current;
    if (!element || !speaker) return onClose();
    const sentences = new SentenceSpeaker(v1, speaker, element, (why) => (failure.value = why));
    sentences.say(spokenText(text));
    return () => sentences.stop();
  }, []);
  return (
    <div class="read-aloud" role="group" aria-label={messages.value.chat.turn.readAloud}>
      <audio controls ref={audio} onPlaying={() => (isWaiting.value = false)} />
      <IconButton icon="close" label={words.end} onClick={onClose} />
      <p class="note" role="status">
        {failure.value || (isWaiting.value ? words.waiting : '')}
      </p>
    </div>
  );
}
