import * as v from 'valibot';

const manifestSchema = v.object({ repository: v.optional(v.object({ url: v.string() })) });

/** An SSH address in Git's short form without a scheme: `git@host:owner/name.git`. */
const SHORT_SSH = /^(?:[^@/]+@)?([^:/]+\.[^:/]+):(?!\/)(.+)$/;

/**
 * `repository.url` of a package.json for a Git remote: without a user, a password or a port. Undefined for a remote that
 * others cannot reach, such as a folder.
 */
export function repositoryOf(remote: string): string | undefined {
  const [, host, path] = SHORT_SSH.exec(remote) ?? [];
  const address = host === undefined ? remote : `ssh://${host}/${path}`;
  if (!/^(https?|ssh|git):/.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  if (!hostname.includes('.')) return undefined;
  return `git+https://${hostname}${pathname.replace(/(\.git)?\/?$/, '')}.git`;
}

/** `repository.url` of the text of a package.json, if it has one. */
export function namedRepository(manifest: string): string | undefined {
  return v.parse(manifestSchema, JSON.parse(manifest)).repository?.url;
}
