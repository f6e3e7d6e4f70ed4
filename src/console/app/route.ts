import { signal } from '@preact/signals';

/** The pages of the console, by the name behind `#/` in the address. */
export const PAGES = ['chat', 'models', 'requests', 'keys', 'playground', 'device'] as const;

/** The pages for those who use the API from code. */
export const DEVELOPER_PAGES = ['requests', 'keys', 'playground', 'device'] as const;

export type PageName = (typeof PAGES)[number];

export function isForDevelopers(page: PageName): boolean {
  return DEVELOPER_PAGES.some((name) => name === page);
}

export interface Route {
  page: PageName;
  /** What the page shows, as in `#/chat/ID`; empty: its default. */
  item: string;
}

/** The route of an address's `#` part. An unknown one is the chat. */
export function parseRoute(hash: string): Route {
  const [, name = '', item = ''] = /^#\/([a-z]+)(?:\/(.*))?$/.exec(hash) ?? [];
  const page = PAGES.find((known) => known === name);
  return page ? { page, item: decoded(item) } : { page: 'chat', item: '' };
}

export function hashOf({ page, item }: Route): string {
  return item === '' ? `#/${page}` : `#/${page}/${encodeURIComponent(item)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The route that the address has now. */
export const route = signal<Route>(parseRoute(location.hash));

/** The item that each page showed last, so that the link to the page leads back to it. */
export const lastItems = signal<Partial<Record<PageName, string>>>({});

addEventListener('hashchange', () => show(parseRoute(location.hash)));

function show(next: Route): void {
  route.value = next;
  lastItems.value = { ...lastItems.value, [next.page]: next.item };
}

/** Shows a page. The browser's back button leads back. */
export function goTo(page: PageName, item = ''): void {
  location.hash = hashOf({ page, item });
}

/** Names what the page shows already: the back button does not lead to the address before. */
export function nameItem(page: PageName, item: string): void {
  history.replaceState(null, '', hashOf({ page, item }));
  show({ page, item });
}
