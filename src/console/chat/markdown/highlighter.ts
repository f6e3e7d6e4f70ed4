import { common, createLowlight } from 'lowlight';

/** A stretch of code. */
export interface CodePart {
  /** Class of highlight.js, such as `hljs-keyword`; empty: plain. */
  kind: string;
  text: string;
}

const lowlight = createLowlight(common);

/** The parts of code in a language, as the code fence names it; undefined: the language is unknown. */
export function highlight(code: string, language: string): CodePart[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return partsOf(lowlight.highlight(language, code), '');
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
