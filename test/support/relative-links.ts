import { withAbsoluteLinks } from '../../scripts/build/readme-links.ts';
import { namedRepository } from '../../scripts/build/repository-of.ts';

/**
 * Makes absolute links to files of the repository relative.
 *
 * @param manifest - text of package.json; if it names no repository, the Markdown is returned unchanged
 */
export function withRelativeLinks(markdown: string, manifest: string): string {
  const repository = namedRepository(manifest);
  if (repository === undefined) return markdown;
  const [page, picture] = ['[](x)', '![](x)'].map((link) =>
    withAbsoluteLinks(link, repository)?.replace(/^!?\[\]\((.*)x\)$/, ']($1'),
  );
  return markdown.replaceAll(page ?? '](', '](').replaceAll(picture ?? '](', '](');
}
