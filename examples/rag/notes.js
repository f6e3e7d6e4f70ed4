import { chunksOf } from './chunks.js';
import { embed } from './models.js';
import { all, change } from './store.js';

const TEXTS_PER_REQUEST = 16;

/** Stores the newest version of the site's own notes. */
export async function fetchNotes() {
  const names = await (await get('notes/index.json')).json();
  const read = async (path) => ({ path, text: await (await get(path)).text() });
  const files = await Promise.all(names.map((name) => read(`notes/${name}`)));
  const old = (await all('files')).filter(({ own }) => !own);
  await change('files', old, files);
}

async function get(path) {
  const response = await fetch(path, { cache: 'no-cache' });
  if (response.ok) return response;
  throw new Error(`${path} answers ${response.status}.`);
}

/** Stores the Markdown and text files among those that the visitor picked. */
export async function addFiles(input) {
  const texts = [...input.files].filter(({ name }) => /\.(md|markdown|txt)$/i.test(name));
  const pathOf = (file) => file.webkitRelativePath || file.name;
  const read = async (file) => ({ path: pathOf(file), text: await file.text(), own: true });
  await change('files', [], await Promise.all(texts.map(read)));
  input.value = '';
}

export async function removeOwnFiles() {
  const files = (await all('files')).filter(({ own }) => own);
  await change('files', files, []);
}

/** The chunks of all files with their vectors. Embeds only what has none, and stores it at once. */
export async function index(model, say) {
  // A token of most texts has two characters at least.
  const longest = Math.min(1_000, 2 * (model.contextLength ?? 256));
  const chunks = (await all('files')).flatMap((file) => chunksOf(file, longest));
  for (const chunk of chunks) chunk.key = await hash(`${model.id}\n${chunk.passage}`);
  const stored = await all('vectors');
  const vectors = new Map(stored.map(({ key, vector }) => [key, vector]));
  const wanted = new Map(chunks.map(({ key, passage }) => [key, passage]));
  const missing = [...wanted].filter(([key]) => !vectors.has(key));
  for (let done = 0; done < missing.length; done += TEXTS_PER_REQUEST) {
    say(`Embedding: ${done} of ${missing.length} passages …`);
    const batch = missing.slice(done, done + TEXTS_PER_REQUEST);
    const texts = batch.map(([, passage]) => passage);
    const made = await embed(model, texts, 'document');
    for (const [place, [key]] of batch.entries()) vectors.set(key, made[place]);
    const rows = batch.map(([key]) => ({ key, vector: vectors.get(key) }));
    await change('vectors', [], rows);
  }
  const unused = stored.filter(({ key }) => !wanted.has(key));
  await change('vectors', unused, []);
  return chunks.map((chunk) => ({ ...chunk, vector: vectors.get(chunk.key) }));
}

async function hash(text) {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return new Uint8Array(bytes).join();
}
