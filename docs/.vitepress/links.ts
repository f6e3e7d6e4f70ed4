import { readFileSync } from 'node:fs';
import { extname, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { ROOT, targetOf } from './pages.ts';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/**
 * The Markdown is written to be read in the repository, so its links name files there. Links to files that
 * are pages lead to the pages. A link to another file that is a paragraph of its own becomes the content of the
 * file, so that the site shows the code that is tested; of other links, the text stays.
 */
export function linksOfPages(md: MarkdownRenderer): void {
  md.core.ruler.push('links-of-pages', (state) => {
    const { realPath, path } = state.env as { realPath?: string; path: string };
    const source = relative(ROOT, realPath ?? path);
    state.tokens = state.tokens.flatMap((token, index, all) => {
      const file = token.type === 'paragraph_close' && shownFile(all[index - 1], source);
      if (!file) return [token];
      const code = new state.Token('fence', 'code', 0);
      code.info = extname(file).slice(1);
      code.content = readFileSync(file, 'utf8');
      return [token, code];
    });
    for (const { children } of state.tokens) if (children) lead(children, source);
  });
}

/** The file that a paragraph links to, if it has nothing else. */
function shownFile(content: Token | undefined, source: string): string | undefined {
  const [open, , close, ...others] = content?.children ?? [];
  if (open?.type !== 'link_open' || close?.type !== 'link_close') return undefined;
  const target = targetOf(open.attrGet('href') ?? '', source);
  return others.length === 0 && 'file' in target ? target.file : undefined;
}

function lead(tokens: Token[], source: string): void {
  const isText: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = targetOf(token.attrGet('href') ?? '', source);
      isText.push('file' in target);
      if ('file' in target) Object.assign(token, { type: 'file_open', tag: 'span', attrs: null });
      else token.attrSet('href', target.address);
    } else if (token.type === 'link_close' && isText.pop()) {
      Object.assign(token, { type: 'file_close', tag: 'span' });
    }
  }
}
