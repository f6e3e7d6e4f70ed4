import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import {
  DEVELOPER_PAGES,
  hashOf,
  isForDevelopers,
  lastItems,
  route,
  type PageName,
} from './route.ts';

const ICONS: Record<PageName, IconName> = {
  chat: 'chat',
  models: 'cube',
  requests: 'list',
  keys: 'key',
  playground: 'terminal',
  device: 'device',
};

/** Links to all pages: a bar at the side, on narrow screens at the bottom. */
export function Navigation(): VNode {
  const { page } = route.value;
  const { navigation, developer, pages } = messages.value.app;
  const title = pages[page];
  useEffect(() => {
    document.title = page === 'chat' ? 'slashv1' : `${title} · slashv1`;
  }, [page, title]);
  return (
    <nav class="navigation" aria-label={navigation}>
      <PageLink name="chat" />
      <PageLink name="models" />
      <div class="developer-pages" role="group" aria-label={developer}>
        <span class="developer-title" aria-hidden="true">
          {developer}
        </span>
        {DEVELOPER_PAGES.map((name) => (
          <PageLink key={name} name={name} />
        ))}
      </div>
      <a
        class="developer-link"
        href={hashOf({ page: isForDevelopers(page) ? page : 'requests', item: '' })}
        aria-current={isForDevelopers(page) ? 'true' : undefined}
      >
        <Icon name="code" />
        <span>{developer}</span>
      </a>
    </nav>
  );
}

/** On narrow screens, the pages that share one place in the bar at the bottom. */
export function DeveloperTabs(): VNode | null {
  if (!isForDevelopers(route.value.page)) return null;
  return (
    <nav class="developer-tabs" aria-label={messages.value.app.developer}>
      {DEVELOPER_PAGES.map((name) => (
        <PageLink key={name} name={name} />
      ))}
    </nav>
  );
}

function PageLink({ name }: { name: PageName }): VNode {
  return (
    <a
      href={hashOf({ page: name, item: lastItems.value[name] ?? '' })}
      aria-current={name === route.value.page ? 'page' : undefined}
    >
      <Icon name={ICONS[name]} />
      <span>{messages.value.app.pages[name]}</span>
    </a>
  );
}
