import { ENDPOINTS } from '../../../core/keys/endpoints.ts';
import type { StoredKey } from '../../../core/database/database.ts';
import type { SmallDatabase } from '../../../core/database/small-database.ts';
import { createKey } from '../../../core/keys/key-format.ts';
import { tokensToday } from '../../../core/keys/key-use.ts';
import { KeyStore } from '../../../core/keys/keys.ts';
import type { KeyRights } from '../../worker/upstreams.ts';
import type { KeyInfo, KeyOptions, Keys } from './keys-api.ts';

/**
 * @param open - opens the database of keys
 * @param forwarding - where requests with new keys may be forwarded; keys that stay on the device get the other rights
 * @param onRevoked - deletes what belonged to the key with this id
 */
export function keysOf(
  open: () => Promise<SmallDatabase>,
  forwarding: KeyRights = {},
  onRevoked: (id: string) => Promise<void> = () => Promise.resolve(),
): Keys {
  const keys = new KeyStore(open);
  return {
    create: async (options = {}) => {
      check(options);
      const {
        label = '',
        deviceOnly = false,
        files: shared,
        promptCache: keeps,
        ...given
      } = options;
      // Tokens of another server cannot be counted here.
      const staysHere = deviceOnly || given.tokensPerDay !== undefined;
      const key = createKey();
      const { upstreams, files, promptCache, mcp, ...others } = forwarding;
      const leaves = !staysHere && upstreams;
      const { owner, ...own } = files ?? {};
      const { owner: _, ...kept } = promptCache ?? {};
      await keys.add(key, {
        label,
        ...rights(given),
        ...others,
        ...(leaves && { upstreams }),
        ...(!deviceOnly && mcp && { mcp }),
        ...(keeps && promptCache && { promptCache: kept }),
        ...(files && { files: { ...own, ...(shared && owner && { owner }) } }),
      });
      return key;
    },
    revoke: async (keyOrId) => {
      const id = await keys.revoke(keyOrId);
      // The key is no longer valid. If the engine cannot do it now, it does within the hour.
      await onRevoked(id).catch(() => undefined);
    },
    list: async () => (await keys.list()).map(keyInfo),
  };
}

function keyInfo(stored: StoredKey): KeyInfo {
  const { id, label, createdAt, lastUsedAt, tokensPerDay, upstreams } = stored;
  return {
    id,
    label,
    createdAt,
    ...rights(stored),
    ...(upstreams && { upstreams: upstreams.map(({ name }) => name) }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    ...(tokensPerDay !== undefined && { tokensToday: tokensToday(stored) }),
  };
}

/** The options that are stored as they are. */
type Rights = Omit<KeyOptions, 'deviceOnly' | 'files' | 'promptCache'>;

function rights({
  models,
  endpoints,
  tokensPerDay,
  expiresAt,
  autoInstall,
  manageModels,
}: Rights): Rights {
  return {
    ...(models && { models }),
    ...(endpoints && { endpoints }),
    ...(tokensPerDay !== undefined && { tokensPerDay }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(autoInstall && { autoInstall }),
    ...(manageModels && { manageModels }),
  };
}

const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const isFlag = (value: unknown) => typeof value === 'boolean';

/** The options and their types. */
const TYPES: Record<keyof KeyOptions, [is: (value: unknown) => boolean, what: string]> = {
  label: [(value) => typeof value === 'string', 'a string'],
  models: [isTexts, 'an array of strings'],
  endpoints: [isTexts, 'an array of strings'],
  tokensPerDay: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    'a whole number from 1',
  ],
  expiresAt: [(value) => Number.isFinite(value), 'Unix milliseconds'],
  autoInstall: [isFlag, 'a boolean'],
  manageModels: [isFlag, 'a boolean'],
  deviceOnly: [isFlag, 'a boolean'],
  files: [(value) => value === 'site', "'site'"],
  promptCache: [isFlag, 'a boolean'],
};

/** Rejects options that are misspelt or meaningless: they would allow everything, or refuse everything. */
function check(options: KeyOptions): void {
  // A Map, or an object that inherits its options, would be read as no options at all.
  if (typeof options !== 'object' || Symbol.iterator in options)
    throw new TypeError('options must be an object.');
  const odd = Object.keys(options).find((name) => !Object.hasOwn(TYPES, name));
  if (odd !== undefined) throw new TypeError(`There is no option '${odd}'.`);
  for (const [name, [is, what]] of Object.entries(TYPES)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    if (!Object.hasOwn(options, name) || !is(value))
      throw new TypeError(`${name} must be ${what}.`);
  }
  const { endpoints = [] } = options;
  const known: readonly string[] = ENDPOINTS;
  const unknown = endpoints.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new TypeError(`There is no endpoint '${unknown}'. Use ${ENDPOINTS.join(', ')}.`);
  }
}
