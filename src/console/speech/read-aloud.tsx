import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { messages } from '../messages/messages.ts';
import { IconButton } from '../ui/buttons.tsx';
import { Player } from './player.ts';
import { readySpeaker } from './speakers.ts';
import { spokenParts, spokenText } from './spoken-text.ts';

interface ReadAloudProps {
  session: Session;
  /** The answer, as Markdown. */
  text: string;
  onClose: () => void;
}

/** Reads an answer aloud below it, from its first sentence on while the rest is still being made. */
export function ReadAloud({ session: { v1, shelf }, text, onClose }: ReadAloudProps): VNode {
  const words = messages.value.speech;
  const failure = useSignal('');
  const player = useMemo(() => new Player(v1, (message) => (failure.value = message)), [v1]);
  const audio = useRef<HTMLAudioElement>(null);
  const parts = useMemo(() => spokenParts(spokenText(text)), [text]);
  useEffect(() => {
    const speaker = readySpeaker(shelf.all.value);
    const element = audio.current;
    if (!element || !speaker) return onClose();
    let at = 0;
    const next = () => {
      const input = parts[at++];
      if (input !== undefined) void player.play({ ...speaker, input, response_format: 'wav' });
    };
    player.use(element);
    element.addEventListener('ended', next);
    next();
    return () => {
      element.removeEventListener('ended', next);
      player.stop();
    };
  }, []);
  const isWaiting = player.state.value === 'waiting';
  return (
    <div class="read-aloud" role="group" aria-label={messages.value.chat.turn.readAloud}>
      <audio controls ref={audio} />
      <IconButton icon="close" label={words.end} onClick={onClose} />
      <p class="note" role="status">
        {failure.value || (isWaiting ? words.waiting : '')}
      </p>
    </div>
  );
}
