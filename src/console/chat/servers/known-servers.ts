import { member } from '../../json.ts';
import { StoredList } from '../../ui/stored-list.ts';
import type { OfferedServer } from '../answer/response-client.ts';
import { text } from '../conversation/files/values.ts';

/** The MCP servers that the user has added, in the order in which that was done. */
export const knownServers = new StoredList<OfferedServer>('servers', (value) => {
  const of = (name: string) => text(member(value, name));
  const [url, label, token] = [of('url'), of('label'), of('token')];
  return url === '' || label === '' ? undefined : { url, label, token };
});

/**
 * The address of a server, as it is stored; undefined if the text is no address. Plain HTTP is only for servers of this
 * device: on pages with HTTPS, browsers refuse others.
 */
export function serverUrl(given: string): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const { protocol, hostname, href } = new URL(given);
  const isOwn = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isOwn) ? href : undefined;
}

/** The host of a server, by its label; the label itself if the server has been removed. */
export function serverName(label: string): string {
  const server = knownServers.value.find((each) => each.label === label);
  return server ? new URL(server.url).host : label;
}

/** A label has at most 64 characters; these leave room for a number. */
const LONGEST = 60;

/**
 * Adds a server, or replaces the one with its URL. Its label is its host's name, with a number if that is taken. Labels
 * begin with a letter.
 */
export function addServer(url: string, token: string): void {
  const others = knownServers.value.filter((each) => each.url !== url);
  const host = new URL(url).host.replaceAll(/[^\w-]/g, '_');
  const name = (/^[a-z]/i.test(host) ? host : `server_${host}`).slice(0, LONGEST);
  const taken = new Set(others.map(({ label }) => label));
  let label = name;
  for (let count = 2; taken.has(label); count++) label = `${name}_${count}`;
  knownServers.store([...others, { url, label, token }]);
}

export function removeServer(url: string): void {
  knownServers.store(knownServers.value.filter((each) => each.url !== url));
}
