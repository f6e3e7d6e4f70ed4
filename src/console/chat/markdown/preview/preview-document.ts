import type { Theme } from '../../../ui/theme.ts';

/** What the code of a preview may load: nothing. What it shows and runs is in the document itself. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:";

const HEAD = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;

/** A document with the HTML or the SVG that a model has written. */
export function htmlPreview(code: string): string {
  return HEAD + code;
}

const COLOURS: Record<Theme, string> = {
  light: 'background: #fff; color: #141a17',
  dark: 'background: #171b19; color: #e8edea',
};

/**
 * A document that draws a diagram and tells its parent the height, or 0 if it cannot be drawn.
 *
 * @param library - Mermaid's script
 */
export function diagramPreview(code: string, library: string, theme: Theme): string {
  const settings = { startOnLoad: false, theme: theme === 'dark' ? 'dark' : 'default' };
  return `${HEAD}<meta name="color-scheme" content="${theme}">
<style>body { margin: 0; padding: 12px; ${COLOURS[theme]} } svg { display: block; margin: auto }</style>
<body><script>${library.replaceAll('</script', '<\\/script')}</script><script>
const tell = (height) => parent.postMessage({ height }, '*');
mermaid.initialize(${JSON.stringify(settings)});
mermaid.render('diagram', ${JSON.stringify(code).replaceAll('<', '\\u003c')}).then(
  ({ svg }) => {
    document.body.innerHTML = svg;
    new ResizeObserver(() => tell(document.body.offsetHeight)).observe(document.body);
  },
  () => tell(0),
);
</script></body>`;
}
