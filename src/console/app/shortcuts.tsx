import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { MESSAGE } from '../chat/composer.tsx';
import { messages } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CommandPalette } from './command-palette.tsx';
import { openNewChat } from './new-chat.ts';
import type { Session } from './session.ts';

type Opened = 'none' | 'palette' | 'help';

const opened = signal<Opened>('none');

/** Listens to the shortcuts of all pages, and shows the dialogs that they open. */
export function Shortcuts({ session }: { session: Session }): VNode | null {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const close = () => (opened.value = 'none');
  const showHelp = () => (opened.value = 'help');
  switch (opened.value) {
    case 'palette':
      return <CommandPalette session={session} onHelp={showHelp} onClose={close} />;
    case 'help':
      return <ShortcutList onClose={close} />;
    case 'none':
      return null;
  }
}

function onKey(event: KeyboardEvent): void {
  if (event.isComposing || document.querySelector('dialog:modal')) return;
  const act = actionOf(event);
  if (!act) return;
  event.preventDefault();
  act();
}

function actionOf(event: KeyboardEvent): (() => void) | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const letter = key.toLowerCase();
  if (ctrlKey || metaKey) {
    if (letter === 'k' && !shiftKey && !altKey) return () => (opened.value = 'palette');
    if (letter === 'o' && shiftKey && !altKey) return openNewChat;
    return undefined;
  }
  // In a field, a single key is text.
  if (altKey || isField(event.target)) return undefined;
  if (key === '?') return () => (opened.value = 'help');
  const message = document.getElementById(MESSAGE);
  return key === '/' && message ? () => message.focus() : undefined;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select');
}

function ShortcutList({ onClose }: { onClose: () => void }): VNode {
  const { app, chat } = messages.value;
  const text = app.shortcuts;
  const control = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';
  const all: [keys: string[], what: string][] = [
    [[control, 'K'], text.palette],
    [[control, 'Shift', 'O'], chat.newChat],
    [['/'], text.message],
    [['/'], text.preset],
    [['Enter'], text.send],
    [['Shift', 'Enter'], text.newLine],
    [['Esc'], text.stop],
    [['?'], text.title],
  ];
  return (
    <Dialog title={text.title} name="shortcuts" onClose={onClose}>
      <dl class="shortcut-list">
        {all.map(([keys, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
