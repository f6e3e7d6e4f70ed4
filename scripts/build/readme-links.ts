/** Hosts of repositories, and where they show the pages and the bytes of a repository's default branch. */
const HOSTS: Record<string, { page: string; bytes: string } | undefined> = {
  'github.com': { page: '/blob/HEAD/', bytes: '/raw/HEAD/' },
  'gitlab.com': { page: '/-/blob/HEAD/', bytes: '/-/raw/HEAD/' },
  'bitbucket.org': { page: '/src/HEAD/', bytes: '/raw/HEAD/' },
};

/** A link or a picture of Markdown: the text before its target, and the target. */
const LINK = /(?<before>(?<picture>!?)\[[^\]]*\]\()(?<target>[^)\s]+)/g;

const ELSEWHERE = /^([a-z]+:|#|\/)/i;

/** Targets of Markdown's links that depend on where the Markdown is read. */
export function relativeLinks(markdown: string): string[] {
  return [...markdown.matchAll(LINK)]
    .map(({ groups }) => groups?.target ?? '')
    .filter((target) => !ELSEWHERE.test(target));
}

/**
 * Markdown at the root of a repository with links that work wherever it is read, such as on npm's site. They lead to the
 * files of the repository's default branch.
 *
 * @param repository - `repository.url` of package.json
 * @returns undefined if there are relative links and the addresses of the host's files are unknown
 */
export function withAbsoluteLinks(markdown: string, repository: string): string | undefined {
  if (relativeLinks(markdown).length === 0) return markdown;
  const { host, pathname } = new URL(repository.replace(/^git\+/, ''));
  const folders = HOSTS[host];
  if (!folders) return undefined;
  const root = `https://${host}${pathname.replace(/\.git$/, '')}`;
  return markdown.replace(LINK, (link, before: string, picture: string, target: string) =>
    ELSEWHERE.test(target)
      ? link
      : `${before}${root}${picture ? folders.bytes : folders.page}${target}`,
  );
}
