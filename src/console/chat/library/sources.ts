/** A passage of a stored file that was found for a question. */
export interface Source {
  /** The file's name. */
  file: string;
  text: string;
}

/** A place in an answer's text that names a file as its source. */
export interface Citation {
  /** Place in the text, characters. */
  at: number;
  /** The file's name. */
  file: string;
}

/** The most characters of a passage in a footnote. */
const MOST_SHOWN = 280;

/** An answer's text with a footnote for each cited file, as Markdown. */
export function withFootnotes(
  text: string,
  citations: readonly Citation[],
  sources: readonly Source[],
): string {
  if (citations.length === 0) return text;
  const files = [...new Set(citations.map(({ file }) => file))];
  // Footnotes that the text has already are mostly named by numbers.
  const prefix = text.includes('[^') ? 's' : '';
  const mark = (file: string) => `[^${prefix}${files.indexOf(file) + 1}]`;
  let marked = text;
  // From the end, so that the places before stay right.
  for (const { at, file } of [...citations].sort((one, other) => other.at - one.at)) {
    const rest = marked.slice(at);
    // Passages of one file may be cited in one place.
    if (!rest.startsWith(mark(file))) marked = marked.slice(0, at) + mark(file) + rest;
  }
  const notes = files.map((file) => {
    const passage = sources.find((source) => source.file === file)?.text ?? '';
    return `${mark(file)}: **${plain(file)}** ${plain(shortened(passage))}`;
  });
  return `${marked}\n\n${notes.join('\n\n')}\n`;
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN - 1).trimEnd()}…`;
}

/** Markdown that shows a text as it is. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+!|$~^-]/g, String.raw`\$&`);
}
