import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { IconButton } from './buttons.tsx';

/** Within this distance of the end, in CSS pixels, the reader counts as being at the end. */
const SLACK = 40;

export interface FollowedEnd {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** Goes to the end and stays there. */
  follow: () => void;
  /** Leads back to the end. Shown only to a reader who has scrolled away from it. */
  button: VNode;
}

/**
 * Keeps the end of growing content in view until the reader scrolls away from it.
 *
 * @param isGrowing - whether there is such content; if not, its beginning is in view
 */
export function useFollowEnd(isGrowing: boolean): FollowedEnd {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useSignal(true);
  const hasEnd = useRef(isGrowing);
  hasEnd.current = isGrowing;
  const follow = () => {
    isFollowing.value = true;
    scroller.current?.scrollTo({ top: hasEnd.current ? scroller.current.scrollHeight : 0 });
  };
  useEffect(() => {
    const box = scroller.current;
    if (!box || !content.current) return;
    const ending = new AbortController();
    const noticeScroll = () => {
      isFollowing.value = box.scrollHeight - box.scrollTop - box.clientHeight < SLACK;
    };
    box.addEventListener('scroll', noticeScroll, { passive: true, signal: ending.signal });
    const grown = new ResizeObserver(() => hasEnd.current && isFollowing.peek() && follow());
    grown.observe(content.current);
    grown.observe(box);
    return () => {
      ending.abort();
      grown.disconnect();
    };
  }, []);
  const button = (
    <IconButton
      icon="arrowDown"
      label={messages.value.ui.toEnd}
      class="icon-button to-end"
      hidden={isFollowing.value || !isGrowing}
      onClick={follow}
    />
  );
  return { scroller, content, follow, button };
}

/** A column of content in the middle of a page that scrolls. */
export function ScrolledColumn({ children }: { children: ComponentChildren }): VNode {
  return (
    <main class="scroller" id="main" tabIndex={-1}>
      <div class="column">{children}</div>
    </main>
  );
}
