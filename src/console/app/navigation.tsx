import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { hashOf, lastItems, PAGES, route, type PageName } from './route.ts';

const ICONS: Record<PageName, IconName> = {
  chat: 'chat',
  models: 'cube',
  requests: 'list',
  keys: 'key',
  playground: 'code',
  device: 'device',
};

/** Links to all pages: a bar at the side, on narrow screens at the bottom. */
export function Navigation(): VNode {
  const { page } = route.value;
  const { navigation, pages } = messages.value.app;
  const title = pages[page];
  useEffect(() => {
    document.title = page === 'chat' ? 'slashv1' : `${title} · slashv1`;
  }, [page, title]);
  return (
    <nav class="navigation" aria-label={navigation}>
      {PAGES.map((name) => (
        <a
          key={name}
          href={hashOf({ page: name, item: lastItems.value[name] ?? '' })}
          aria-current={name === page ? 'page' : undefined}
        >
          <Icon name={ICONS[name]} />
          <span>{pages[name]}</span>
        </a>
      ))}
    </nav>
  );
}
