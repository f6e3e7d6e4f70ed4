import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';

/** Beginning of the ids of a text's footnotes: other texts on the page may have footnotes of the same name. */
export const Notes = createContext('');

/** The mark of a footnote, which leads to it. A link would change the page's address. */
export function FootnoteButton({ name }: { name: string }): VNode {
  const id = `${useContext(Notes)}-${name}`;
  return (
    <sup>
      <button
        type="button"
        class="footnote-mark"
        aria-label={fill(messages.value.chat.footnote, { name })}
        onClick={() => document.getElementById(id)?.focus()}
      >
        {name}
      </button>
    </sup>
  );
}

export function FootnoteText({
  name,
  children,
}: {
  name: string;
  children: ComponentChildren;
}): VNode {
  return (
    <p class="footnote" dir="auto" id={`${useContext(Notes)}-${name}`} tabIndex={-1}>
      <sup>{name}</sup> {children}
    </p>
  );
}
