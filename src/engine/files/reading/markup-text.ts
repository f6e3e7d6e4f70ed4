import { withoutReferences } from '../../../core/text/character-references.ts';

/** Elements of HTML whose content is no text of the page. */
const HIDDEN =
  /<(script|style|template|noscript|svg|head)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;
/** Elements before and after which a line ends. */
const BLOCK =
  /<\/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)\b[^>]*>/gi;
const TAG = /<\/?[a-z!?][^>]*>/gi;

/** The text of an HTML page. */
export function htmlText(html: string): string {
  const plain = html
    .replaceAll(HIDDEN, ' ')
    .replaceAll(/<\/(?:td|th)\s*>/gi, '\t')
    .replaceAll(BLOCK, '\n')
    .replaceAll(TAG, '');
  return tidy(decoded(plain));
}

/** The text of the main part of a Word document, which is XML. */
export function wordText(xml: string): string {
  const pieces = xml.matchAll(
    /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<(\/w:p|w:tab|w:br|\/w:tc)\b[^>]*>/g,
  );
  let text = '';
  for (const [, words, tag] of pieces) {
    if (words !== undefined) text += decoded(words);
    else text += tag === 'w:tab' || tag === '/w:tc' ? '\t' : '\n';
  }
  return tidy(text);
}

function decoded(text: string): string {
  return withoutReferences(text.replaceAll('&nbsp;', ' '));
}

function tidy(text: string): string {
  return text
    .replaceAll(/[ \f\r\v]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
