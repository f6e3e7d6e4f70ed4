import { answer, embed, rerank, startModels } from './models.js';
import { addFiles, fetchNotes, index, removeFiles } from './notes.js';
import { search } from './search.js';

const HELP = 'Add one: npx slashv1 init . --embeddings --pack FOLDER';
const WITHOUT = {
  embedding: 'The notes cannot be searched.',
  rerank: 'The sources stay in the order of the search.',
  chat: 'There are sources, but no answers.',
};
let models;
let chunks = [];
let queue = Promise.resolve();

const element = (id) => document.getElementById(id);
const say = (text) => (element('status').textContent = text);
const warn = (text) => element('notice').append(`${text}\n`);
/** Jobs run one after the other. */
const run = (job) => (queue = queue.then(job).catch(({ message }) => say(`Failed: ${message}`)));

function list(id, values, textOf) {
  const item = (text) => Object.assign(document.createElement('li'), { textContent: text });
  element(id).replaceChildren(...values.map(textOf).map(item));
}

void run(async () => {
  models = await startModels(({ model, text }) => say(`${model}: ${text}`));
  for (const [task, loss] of Object.entries(WITHOUT))
    if (!models[task]) warn(`This site has no pack with a model for "${task}". ${loss} ${HELP}`);
  await fetchNotes(warn).catch(({ message }) => warn(`The notes may be old. ${message}`));
  await refresh();
});

async function refresh() {
  if (!models.embedding) return say('Nothing can be searched.');
  const files = await index(models.embedding, say);
  list('notes', files, (file) => `${file.path}, passages: ${file.chunks.length || 'none'}`);
  chunks = files.flatMap((file) => file.chunks);
  say(chunks.length > 0 ? 'Ready.' : 'There is nothing to search yet: add files.');
}

for (const input of document.querySelectorAll('[type=file]'))
  input.onchange = () => run(() => addFiles(input, warn).then(refresh));
element('remove').onclick = () => run(() => removeFiles(({ own }) => own).then(refresh));
// The form's method is `dialog`, so the browser stays on the page.
element('ask').onsubmit = () => run(() => ask(element('question').value));

async function ask(question) {
  if (chunks.length === 0) return;
  say('Searching and answering …');
  element('answer').textContent = '';
  const [vector] = await embed(models.embedding, [question], 'query');
  const found = search(question, vector, chunks);
  const ranked = models.rerank ? await rerank(models.rerank, question, found) : found;
  const sources = ranked.slice(0, 4);
  list('sources', sources, ({ path, passage }) => `${path} › ${passage}`);
  if (models.chat) await answer(question, sources, (piece) => element('answer').append(piece));
  say(`Answered: ${question}`);
}
