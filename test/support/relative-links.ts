import { withAbsoluteLinks } from '../../scripts/readme-links.ts';
import { namedRepository } from '../../scripts/repository-of.ts';

/**
 * Markdown with relative links where it has absolute ones to files of its repository.
 *
 * @param manifest - text of the package.json that names the repository, or names none
 */
export function withRelativeLinks(markdown: string, manifest: string): string {
  const repository = namedRepository(manifest);
  if (repository === undefined) return markdown;
  const [page, picture] = ['[](x)', '![](x)'].map((link) =>
    withAbsoluteLinks(link, repository)?.replace(/^!?\[\]\((.*)x\)$/, ']($1'),
  );
  return markdown.replaceAll(page ?? '](', '](').replaceAll(picture ?? '](', '](');
}
