import { messageOf } from '../../core/text/message-of.ts';
import type { Session } from '../app/session.ts';
import { sha256Hex } from '../../core/text/sha256.ts';
import { forgetSettings } from '../ui/settings.ts';

/** The parts of a session that store something. */
type Storing = Pick<Session, 'v1' | 'shelf' | 'conversations' | 'drafts'>;

/**
 * Deletes all that the console has stored. What cannot be deleted does not keep the rest.
 *
 * @throws Error that names each failure
 */
export async function deleteAll(session: Storing): Promise<void> {
  const { v1, shelf, conversations, drafts } = session;
  const failures: string[] = [];
  const attempt = (work: () => Promise<void>) =>
    work().catch((error: unknown) => void failures.push(messageOf(error)));
  forgetSettings();
  drafts.clear();
  await attempt(() => conversations.deleteAll());
  await attempt(() => revokeKeys(v1));
  await attempt(() => v1.files.clear());
  await attempt(() => v1.promptCache.clear());
  await attempt(() => shelf.refresh());
  for (const { id } of shelf.all.value) {
    // Only the settings of the browser can delete its own model.
    if (!shelf.isOfBrowser(id)) await attempt(() => v1.models.remove(id));
  }
  await attempt(() => shelf.refresh());
  if (failures.length > 0) throw new Error([...new Set(failures)].join(' '));
}

/** Revokes all keys but the one of this tab, which ends with it. */
async function revokeKeys({ apiKey, keys }: Session['v1']): Promise<void> {
  const own = await sha256Hex(apiKey);
  for (const { id } of await keys.list()) if (id !== own) await keys.revoke(id);
}
