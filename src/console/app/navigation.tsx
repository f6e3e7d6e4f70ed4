import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon, type IconName } from '../ui/icons.tsx';
import { hashOf, lastItems, PAGES, route, type PageName } from './route.ts';

const ENTRIES: Record<PageName, { title: string; icon: IconName }> = {
  chat: { title: 'Chat', icon: 'chat' },
  models: { title: 'Models', icon: 'cube' },
  requests: { title: 'Requests', icon: 'list' },
  keys: { title: 'Keys', icon: 'key' },
  playground: { title: 'Playground', icon: 'code' },
  device: { title: 'Device', icon: 'device' },
};

/** Links to all pages: a bar at the side, on narrow screens at the bottom. */
export function Navigation(): VNode {
  const { page } = route.value;
  const { title } = ENTRIES[page];
  useEffect(() => {
    document.title = page === 'chat' ? 'slashv1' : `${title} · slashv1`;
  }, [page]);
  return (
    <nav class="navigation" aria-label="Pages">
      {PAGES.map((name) => (
        <a
          key={name}
          href={hashOf({ page: name, item: lastItems.value[name] ?? '' })}
          aria-current={name === page ? 'page' : undefined}
        >
          <Icon name={ENTRIES[name].icon} />
          <span>{ENTRIES[name].title}</span>
        </a>
      ))}
    </nav>
  );
}
