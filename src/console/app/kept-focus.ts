import { focusMessage, hasTouchKeyboard, MESSAGE } from '../chat/composer.tsx';

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
/** On touch screens, these would open the keyboard. */
const TEXT_FIELDS = 'input, textarea';

/** The place of an element among the children of its parent. */
interface Place {
  parent: Element;
  index: number;
}

/** What had the focus last, unless the user has left it for nothing; and the places of it and what holds it. */
let element: Element | null = null;
let places: Place[] = [];

/**
 * When what has the focus disappears, gives the focus to the control that is nearest to it. Browsers give it to nothing,
 * so that a keyboard begins anew at the top of the page.
 */
export function keepFocus(root: HTMLElement): void {
  root.addEventListener('focusin', ({ target }) => {
    element = null;
    // A mouse or a finger needs no focus.
    if (target instanceof Element && target.matches(':focus-visible')) remember(target, root);
  });
  root.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget) return;
    // An element that disappears is there still when it loses the focus.
    queueMicrotask(() => {
      if (element === target && !isGone()) element = null;
    });
  });
  const changed = new MutationObserver(() => {
    // What takes the focus itself does so after it has been drawn.
    if (isGone()) requestAnimationFrame(() => setTimeout(moveFocus));
  });
  const attributeFilter = ['disabled', 'hidden'];
  changed.observe(root, { childList: true, subtree: true, attributeFilter });
}

function remember(target: Element, root: Element): void {
  element = target;
  places = [];
  let at = target;
  for (let parent = at.parentElement; parent && parent !== root; parent = at.parentElement) {
    places.push({ parent, index: [...parent.children].indexOf(at) });
    at = parent;
  }
}

/** Whether what had the focus cannot have it any more. */
function isGone(): boolean {
  if (!element) return false;
  return (
    !element.isConnected || element.matches(':disabled') || element.closest('[hidden]') !== null
  );
}

function moveFocus(): void {
  if (document.activeElement !== document.body || !isGone()) return;
  const near = nearestControl();
  if (near) near.focus();
  else if (document.getElementById(MESSAGE)) focusMessage();
  else document.getElementById('main')?.focus();
}

function nearestControl(): HTMLElement | undefined {
  for (const { parent, index } of places) {
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    const after = children.slice(index).flatMap(controlsIn);
    const before = children.slice(0, index).flatMap(controlsIn);
    const near = after[0] ?? before.at(-1);
    if (near) return near;
  }
  return undefined;
}

function controlsIn(part: Element): HTMLElement[] {
  return [part, ...part.querySelectorAll(CONTROLS)].filter(
    (each): each is HTMLElement =>
      each instanceof HTMLElement &&
      each.matches(CONTROLS) &&
      each.checkVisibility() &&
      !each.matches(':disabled') &&
      !(hasTouchKeyboard() && each.matches(TEXT_FIELDS)),
  );
}
