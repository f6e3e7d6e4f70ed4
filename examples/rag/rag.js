import { start } from './slashv1.js';

let v1, models, store;
let queue = Promise.resolve();

const element = (id) => document.getElementById(id);
const say = (text) => (element('status').textContent = text);
/** Jobs run one after the other. */
const run = (job) => (queue = queue.then(job).catch(({ message }) => say(`Failed: ${message}`)));

function show(id, lines) {
  const item = (text) => Object.assign(document.createElement('li'), { textContent: text });
  element(id).replaceChildren(...lines.map(item));
}

async function call(method, path, sent) {
  const headers = { authorization: `Bearer ${v1.apiKey}` };
  const body = sent instanceof FormData ? sent : JSON.stringify(sent);
  const response = await fetch(`${v1.baseURL}/${path}`, { method, headers, body });
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Error(answer.error.message);
}

void run(async () => {
  v1 = await start({ files: true, onProgress: ({ model, text }) => say(`${model}: ${text}`) });
  const packs = (await v1.models.list()).filter(({ embedded }) => embedded).reverse();
  models = Object.fromEntries(packs.map(({ task, id }) => [task, id]));
  // Without an embedder, notes are found by their words. The vectors of one do not fit another.
  const embedding_model = models.embedding ?? null;
  const name = `Notes in ${new URL('.', location.href).pathname}, ${embedding_model}`;
  const { data } = await call('GET', 'vector_stores?limit=100');
  const known = data.find((each) => each.name === name);
  store = (known ?? (await call('POST', 'vector_stores', { name, embedding_model }))).id;
  // Without a network, the notes of the last visit are there.
  await addSiteNotes().catch(console.warn);
  await indexed();
});

async function addSiteNotes() {
  const get = (path) => fetch(path, { cache: 'no-cache' });
  const names = await (await get('notes/index.json')).json();
  const paths = names.map((name) => `notes/${name}`);
  for (const path of paths) await put(path, await (await get(path)).blob());
  await remove((path) => path.startsWith('notes/') && !paths.includes(path));
}

async function stored(after = '') {
  const page = await call('GET', `vector_stores/${store}/files?limit=100&order=asc${after}`);
  return page.data.concat(page.has_more ? await stored(`&after=${page.last_id}`) : []);
}

/** Stores a file in the place of the one with its path, unless that has the same content. */
async function put(path, content) {
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer());
  const hash = new Uint8Array(digest).toString();
  const old = (await stored()).find(({ attributes }) => attributes.path === path);
  if (old?.attributes.hash === hash) return;
  const form = new FormData();
  form.append('purpose', 'assistants');
  form.append('file', content, path);
  const { id } = await call('POST', 'files', form);
  await call('POST', `vector_stores/${store}/files`, { file_id: id, attributes: { path, hash } });
  if (old) await call('DELETE', `files/${old.id}`);
}

async function remove(isGone) {
  for (const { id, attributes } of await stored())
    if (isGone(attributes.path)) await call('DELETE', `files/${id}`);
}

async function indexed() {
  const files = await stored();
  const line = ({ attributes, last_error }) => `${attributes.path} ${last_error?.message ?? ''}`;
  show('notes', files.map(line));
  if (!files.some(({ status }) => status === 'in_progress')) return say('Ready.');
  await new Promise((resolve) => setTimeout(resolve, 250));
  await indexed();
}

async function ask(input) {
  say('Searching and answering …');
  const tools = [{ type: 'file_search', vector_store_ids: [store], max_num_results: 4 }];
  const sent = { model: models.chat, input, tools, include: ['file_search_call.results'] };
  const [search, message] = (await call('POST', 'responses', sent)).output;
  show(
    'sources',
    search.results.map(({ filename, text }) => `${filename} › ${text}`),
  );
  element('answer').textContent = message.content[0].text;
  say(`Answered: ${input}`);
}

element('add').onchange = ({ target: { files } }) =>
  run(async () => {
    for (const file of [...files]) await put(file.name, file);
    await indexed();
  });
element('remove').onclick = () =>
  run(() => remove((path) => !path.startsWith('notes/')).then(indexed));
element('ask').onsubmit = () => run(() => ask(element('question').value));
