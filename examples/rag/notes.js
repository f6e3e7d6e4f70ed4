import { chunksOf } from './chunks.js';
import { embed } from './models.js';
import { files } from './store.js';

const TEXTS_PER_REQUEST = 16;

/** Stores the newest version of the site's own notes. */
export async function fetchNotes(warn) {
  const names = await (await get('notes/index.json')).json();
  const paths = names.map((name) => `notes/${name}`);
  await Promise.all(paths.map(async (path) => keep(path, await get(path), false, warn)));
  await removeFiles(({ path, own }) => !own && !paths.includes(path));
}

async function get(path) {
  const response = await fetch(path, { cache: 'no-cache' });
  if (response.ok) return response;
  throw new Error(`${path} answers ${response.status}.`);
}

/** Stores the Markdown, text and PDF files among those that the visitor picked. */
export async function addFiles(input, warn) {
  for (const file of input.files) {
    const path = file.webkitRelativePath || file.name;
    if (/\.(md|markdown|txt|pdf)$/i.test(path)) await keep(path, file, true, warn);
  }
  input.value = '';
}

/** @param content the file, or the response with it */
async function keep(path, content, own, warn) {
  const reading = /\.pdf$/i.test(path) ? pdfText(await content.arrayBuffer()) : content.text();
  const text = await reading.catch(({ message }) => warn(`${path} cannot be read: ${message}`));
  // The vectors of an older version are kept for the passages that did not change.
  await files('put', { ...(await files('get', path)), path, own, text: text ?? '' });
}

/** The text of a PDF, with an empty line between its pages. */
async function pdfText(data) {
  // Most visitors have no PDFs, and the reader is large: it is fetched with the first one.
  const { getDocument } = await import('./pdfjs.js');
  const pdf = await getDocument({ data, isEvalSupported: false, verbosity: 0 }).promise;
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
  }
  return pages.join('\n\n');
}

export async function removeFiles(condition) {
  for (const { path } of (await files('getAll')).filter(condition)) await files('delete', path);
}

/** All files, with the vectors of their chunks. Embeds only what has none, and stores it at once. */
export async function index(model, say) {
  // A token of most texts has two characters at least.
  const longest = Math.min(1_000, 2 * (model.contextLength ?? 256));
  const all = await files('getAll');
  for (const file of all) {
    const usable = file.by === model.id ? file.chunks : [];
    const known = new Map(usable.map(({ passage, vector }) => [passage, vector]));
    file.by = model.id;
    file.chunks = chunksOf(file, longest);
    for (const chunk of file.chunks) chunk.vector = known.get(chunk.passage);
    const missing = file.chunks.filter(({ vector }) => !vector);
    for (let done = 0; done < missing.length; done += TEXTS_PER_REQUEST) {
      say(`${file.path}: ${done} of ${missing.length} passages are embedded …`);
      const chunks = missing.slice(done, done + TEXTS_PER_REQUEST);
      const passages = chunks.map(({ passage }) => passage);
      const vectors = await embed(model, passages, 'document');
      for (const [place, chunk] of chunks.entries()) chunk.vector = vectors[place];
      await files('put', file);
    }
  }
  return all;
}
