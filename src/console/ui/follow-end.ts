import { iconButton } from './buttons.ts';

/** Within this distance of the end, in CSS pixels, the reader counts as being at the end. */
const SLACK = 40;

/**
 * Keeps the end of growing content in view until the reader scrolls away from it. Then it shows a button
 * that leads back to the end.
 */
export class FollowEnd {
  readonly button: HTMLButtonElement;
  readonly #scroller: HTMLElement;
  #following = true;

  constructor(scroller: HTMLElement, content: HTMLElement) {
    this.#scroller = scroller;
    const attributes = { class: 'icon-button to-end', hidden: true };
    this.button = iconButton('arrowDown', 'Go to the end', () => this.follow(), attributes);
    scroller.addEventListener('scroll', () => this.#noticeScroll(), { passive: true });
    const grown = new ResizeObserver(() => this.#following && this.follow());
    grown.observe(content);
    grown.observe(scroller);
  }

  follow(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#setFollowing(true);
  }

  #noticeScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    this.#setFollowing(scrollHeight - scrollTop - clientHeight < SLACK);
  }

  #setFollowing(following: boolean): void {
    this.#following = following;
    this.button.hidden = following;
  }
}
