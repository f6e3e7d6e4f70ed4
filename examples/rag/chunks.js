/** Where a long section is cut, best first: after a paragraph, line, sentence, word or letter. */
const CUTS = [/(?<=\n\s*\n)/, /(?<=\n)/, /(?<=[.!?]\s)/, /(?<=\s)/, /(?:)/u];

/** Cuts Markdown at its headings, and sections with more than `most` characters into pieces. */
export function chunksOf({ path, text }, most) {
  const sections = [{ heading: '', body: '' }];
  const trail = [];
  let inCode = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const [, marks, title] = /^(#{1,6})\s+(.*?)[\s#]*$/.exec(inCode ? '' : line) ?? [];
    if (marks) {
      trail.splice(marks.length - 1, trail.length, title);
      sections.push({ heading: `${trail.filter(Boolean).join(' › ')}\n`, body: '' });
    } else sections.at(-1).body += `${line}\n`;
  }
  return sections.flatMap(({ heading, body }) => {
    const pieces = cut(body.trim(), most).filter((piece) => piece.trim());
    return pieces.map((piece) => ({ path, passage: heading + piece.trim() }));
  });
}

function cut(text, most, [end, ...finer] = CUTS) {
  if (text.length <= most) return [text];
  const pieces = [''];
  for (const part of text.split(end).flatMap((each) => cut(each, most, finer))) {
    if ((pieces.at(-1) + part).length > most) pieces.push('');
    pieces.push(pieces.pop() + part);
  }
  return pieces;
}
