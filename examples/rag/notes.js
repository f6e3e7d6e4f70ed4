import { chunksOf } from './chunks.js';
import { embed } from './models.js';
import { pdfText } from './pdf-text.js';
import { all, change } from './store.js';

const TEXTS_PER_REQUEST = 16;

/** Stores the newest version of the site's own notes. */
export async function fetchNotes(warn) {
  const names = await (await get('notes/index.json')).json();
  const fetched = async (path) => read(path, await get(path), false, warn);
  const files = await Promise.all(names.map((name) => fetched(`notes/${name}`)));
  await change('files', await filesWhere(({ own }) => !own), files);
}

async function get(path) {
  const response = await fetch(path, { cache: 'no-cache' });
  if (response.ok) return response;
  throw new Error(`${path} answers ${response.status}.`);
}

/** Stores the Markdown, text and PDF files among those that the visitor picked. */
export async function addFiles(input, warn) {
  const files = [...input.files].filter(({ name }) => /\.(md|markdown|txt|pdf)$/i.test(name));
  const pathOf = (file) => file.webkitRelativePath || file.name;
  for (const file of files) await change('files', [], [await read(pathOf(file), file, true, warn)]);
  input.value = '';
}

/** @param content the file, or the response with it */
async function read(path, content, own, warn) {
  const reading = /\.pdf$/i.test(path) ? pdfText(await content.arrayBuffer()) : content.text();
  const text = await reading.catch(({ message }) => warn(`${path} cannot be read: ${message}`));
  return { path, own, text: text ?? '' };
}

export const removeOwnFiles = async () => change('files', await filesWhere(({ own }) => own), []);

const filesWhere = async (condition) => (await all('files')).filter(condition);

/** The chunks of all files with their vectors. Embeds only what has none, and stores it at once. */
export async function index(model, say) {
  // A token of most texts has two characters at least.
  const longest = Math.min(1_000, 2 * (model.contextLength ?? 256));
  const chunks = (await all('files')).flatMap((file) => chunksOf(file, longest));
  const wanted = new Set(chunks.map(({ passage }) => passage));
  const stored = await all('vectors');
  const usable = stored.filter(({ key, by }) => by === model.id && wanted.has(key));
  const vectors = new Map(usable.map(({ key, vector }) => [key, vector]));
  const missing = [...wanted].filter((passage) => !vectors.has(passage));
  for (let done = 0; done < missing.length; done += TEXTS_PER_REQUEST) {
    say(`Embedding: ${done} of ${missing.length} passages …`);
    const passages = missing.slice(done, done + TEXTS_PER_REQUEST);
    const made = await embed(model, passages, 'document');
    for (const [place, passage] of passages.entries()) vectors.set(passage, made[place]);
    const rows = passages.map((key) => ({ key, by: model.id, vector: vectors.get(key) }));
    await change('vectors', [], rows);
  }
  const unused = stored.filter(({ key }) => !wanted.has(key));
  await change('vectors', unused, []);
  return chunks.map((chunk) => ({ ...chunk, vector: vectors.get(chunk.passage) }));
}
