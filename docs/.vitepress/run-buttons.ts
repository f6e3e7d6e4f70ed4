import type { MarkdownRenderer } from 'vitepress';

/** A code block whose language is `js run` gets a button that runs it; the theme adds it. */
export function runButtons(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence?.(tokens, index, ...rest) ?? '';
    return /^js run$/.test(tokens[index]?.info.trim() ?? '')
      ? `<div class="runnable">${html}</div>`
      : html;
  };
}
