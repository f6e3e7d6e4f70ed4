import { sha256Hex } from '../../../core/text/sha256.ts';
import { parsed } from '../../json.ts';
import { readSetting, writeSetting } from '../../ui/settings.ts';
import { list, text } from '../conversation/files/values.ts';

/** The user is asked again about the code that was allowed the longest ago. */
const MOST_KEPT = 200;

/**
 * Whether the user has allowed this code of this function on this device. Chats and presets that come from elsewhere
 * bring code, but not the word of this user.
 */
export async function isAllowed(name: string, code: string): Promise<boolean> {
  return allowed().includes(await hashOf(name, code));
}

/** Notes that the user allows the code from now on. */
export async function allow(name: string, code: string): Promise<void> {
  const hash = await hashOf(name, code);
  const others = allowed().filter((each) => each !== hash);
  writeSetting('allowed-code', JSON.stringify([...others, hash].slice(-MOST_KEPT)));
}

function allowed(): string[] {
  return list(parsed(readSetting('allowed-code') ?? '')).map(text);
}

function hashOf(name: string, code: string): Promise<string> {
  return sha256Hex(JSON.stringify([name, code]));
}
