import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { PRIVATE, titleOf } from '../chat/conversation/conversation.ts';
import { messages } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { currentTheme, toggleTheme } from '../ui/theme.ts';
import { openNewChat } from './new-chat.ts';
import { goTo, PAGES } from './route.ts';
import type { Session } from './session.ts';

/** More would be no help. */
const MOST = 12;

interface Command {
  name: string;
  run: () => void;
}

interface PaletteProps {
  session: Session;
  /** Lists the shortcuts. */
  onHelp: () => void;
  onClose: () => void;
}

/** Finds actions, pages and chats by their names. Enter takes the first, arrows lead to the others. */
export function CommandPalette({ session, onHelp, onClose }: PaletteProps): VNode {
  const text = messages.value.app.palette;
  const query = useSignal('');
  const list = useRef<HTMLUListElement>(null);
  const wanted = query.value.trim().toLowerCase();
  const found = commandsOf(session, onHelp)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, MOST);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons.at((at + step) % buttons.length)?.focus();
  };
  return (
    <Dialog title={text.title} name="palette" onClose={onClose}>
      <form
        onKeyDown={onKey}
        onSubmit={(event) => {
          event.preventDefault();
          run(found[0]);
        }}
      >
        <input
          class="field"
          type="search"
          autofocus
          aria-label={text.search}
          placeholder={text.search}
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
        />
        <ul class="command-list" ref={list}>
          {found.map((command, index) => (
            <li key={index}>
              <button type="button" onClick={() => run(command)}>
                {command.name}
              </button>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="note">{text.none}</p>}
      </form>
    </Dialog>
  );
}

function commandsOf({ conversations }: Session, onHelp: () => void): Command[] {
  const { app, chat } = messages.value;
  return [
    { name: chat.newChat, run: openNewChat },
    { name: chat.privateChat, run: () => openNewChat(PRIVATE) },
    ...PAGES.map((page) => ({ name: app.pages[page], run: () => goTo(page) })),
    { name: currentTheme() === 'dark' ? app.lightTheme : app.darkTheme, run: toggleTheme },
    { name: app.shortcuts.title, run: onHelp },
    ...conversations.list.value.map((conversation) => ({
      name: titleOf(conversation),
      run: () => goTo('chat', conversation.id),
    })),
  ];
}
