import { focusMessage } from '../chat/composer.tsx';
import type { PRIVATE } from '../chat/conversation/conversation.ts';
import { goTo } from './route.ts';

/** Opens a new chat from any page, ready to be written into. */
export function openNewChat(kind: '' | typeof PRIVATE = ''): void {
  // A dialog that is being closed does not give the focus back then, and the page of the chat takes it.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  goTo('chat', kind);
  requestAnimationFrame(focusMessage);
}
