/** Where a long section is cut, best first, and what joins the parts that fit together. */
const CUTS = [/\n\s*\n/, /\n/, /(?<=[.!?])\s+/, /\s+/];
const GLUE = ['\n\n', '\n', ' ', ' '];

/** Cuts a Markdown file at its headings, and long sections so that no chunk has more characters than `most`. */
export function chunksOf({ path, text }, most) {
  const sections = [{ heading: '', body: '' }];
  const trail = [];
  let inCode = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const [, marks, title] = /^(#{1,6})\s+(.*?)[\s#]*$/.exec(inCode ? '' : line) ?? [];
    if (marks) {
      trail.splice(marks.length - 1, trail.length, title);
      sections.push({ heading: trail.filter(Boolean).join(' › '), body: '' });
    } else sections.at(-1).body += `${line}\n`;
  }
  return sections.flatMap(({ heading, body }) =>
    cut(body, most).map((piece) => ({ path, passage: heading ? `${heading}\n${piece}` : piece })),
  );
}

function cut(text, most, level = 0) {
  const whole = text.trim();
  if (whole.length <= most) return whole ? [whole] : [];
  if (level === CUTS.length) return whole.match(new RegExp(`[^]{1,${most}}`, 'g'));
  const parts = whole.split(CUTS[level]).flatMap((part) => cut(part, most, level + 1));
  return parts.reduce((pieces, part) => {
    const joined = [...pieces.slice(-1), part].join(GLUE[level]);
    return joined.length <= most ? [...pieces.slice(0, -1), joined] : [...pieces, part];
  }, []);
}
