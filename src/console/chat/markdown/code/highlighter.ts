import { common, createLowlight } from 'lowlight';
import { codeSlices } from './code-slices.ts';

/** A stretch of code. */
export interface CodePart {
  /** Class of highlight.js, such as `hljs-keyword`; empty: plain. */
  kind: string;
  text: string;
}

const lowlight = createLowlight(common);

/**
 * The parts of code in a language, as the code fence names it; undefined: the language is unknown. Between slices of
 * long code, the page can do other things. If the signal aborts, rejects with its reason.
 */
export async function highlight(
  code: string,
  language: string,
  signal: AbortSignal,
): Promise<CodePart[] | undefined> {
  if (!lowlight.registered(language)) return undefined;
  const parts: CodePart[] = [];
  for (const slice of codeSlices(code)) {
    if (parts.length > 0) await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    parts.push(...partsOf(lowlight.highlight(language, slice), ''));
  }
  return parts;
}

type Root = ReturnType<typeof lowlight.highlight>;
type Node = Root | Root['children'][number];

/** If classes are nested, the inner one counts. */
function partsOf(node: Node, kind: string): CodePart[] {
  if (node.type === 'text') return [{ kind, text: node.value }];
  if (!('children' in node)) return [];
  const names = node.type === 'element' ? node.properties['className'] : undefined;
  const own = Array.isArray(names) ? String(names[0]) : kind;
  return node.children.flatMap((child) => partsOf(child, own));
}
