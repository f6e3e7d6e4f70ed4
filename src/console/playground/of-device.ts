import type { Session } from '../app/session.ts';
import { siteOptions, upstreamNames } from '../app/site-options.ts';
import { member } from '../member.ts';
import { parsed } from './parsed.ts';

/** Whether this device answers a request with this body. The fields that another server takes are not known here. */
export function isOfDevice(body: string, { listed, shelf }: Session): boolean {
  const model = member(parsed(body), 'model');
  if (upstreamNames().length === 0 || typeof model !== 'string') return true;
  if (Object.hasOwn(siteOptions().routes ?? {}, model)) return false;
  return !listed.elsewhere.value.has(model) && shelf.all.value.some(({ id }) => id === model);
}
