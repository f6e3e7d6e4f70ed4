import { embed, rerank, startModels, write } from './models.js';
import { addFiles, fetchNotes, index, removeOwnFiles } from './notes.js';
import { search } from './search.js';
import { all } from './store.js';

const FOUND = 20;
const SOURCES = 4;
const ANSWER_TOKENS = 400;
const INSTRUCTIONS =
  'Answer from the passages, and name them as in [1]. If they do not answer the question, say so.';
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
const fail = (error) => say(`Failed: ${error.message}`);
/** Jobs run one after the other. */
const run = (job) => void (queue = queue.then(job).catch(fail));

function list(id, values, textOf) {
  const item = (text) => Object.assign(document.createElement('li'), { textContent: text });
  element(id).replaceChildren(...values.map(textOf).map(item));
}

run(async () => {
  models = await startModels(({ model, stage, text }) => {
    if (stage === 'download' || stage === 'load') say(`${model}: ${text}`);
  });
  for (const task of Object.keys(WITHOUT).filter((each) => !models[each])) {
    const help = 'Add one: npx slashv1 init . --embeddings --pack FOLDER';
    warn(`This site has no pack with a model for "${task}". ${WITHOUT[task]} ${help}`);
  }
  await fetchNotes(warn).catch((error) => warn(`The notes may be old. ${error.message}`));
  await refresh();
});

async function refresh() {
  if (!models.embedding) return say('Nothing can be searched.');
  chunks = await index(models.embedding, say);
  const files = await all('files');
  const size = (path) => chunks.filter((chunk) => chunk.path === path).length || 'none';
  list('notes', files, ({ path }) => `${path}, passages: ${size(path)}`);
  say(chunks.length > 0 ? 'Ready.' : 'There is nothing to search yet: add files.');
}

for (const input of document.querySelectorAll('[type=file]'))
  input.onchange = () => run(() => addFiles(input, warn).then(refresh));
element('remove').onclick = () => run(() => removeOwnFiles().then(refresh));

element('ask').onsubmit = (event) => {
  event.preventDefault();
  run(() => ask(element('question').value));
};

async function ask(question) {
  if (chunks.length === 0) return;
  say('Searching …');
  element('answer').textContent = '';
  const [vector] = await embed(models.embedding, [question], 'query');
  const found = search(question, vector, chunks, FOUND);
  const ranked = models.rerank ? await rerank(models.rerank, question, found) : found;
  const sources = ranked.slice(0, SOURCES);
  list('sources', sources, ({ path, passage }) => `${path} › ${passage}`);
  if (models.chat) await answer(question, sources);
  say(`Answered: ${question}`);
}

async function answer(question, sources) {
  say('Writing …');
  const numbered = sources.map(({ passage }, place) => `[${place + 1}] ${passage}`);
  const room = 2 * ((models.chat.contextLength ?? 2_048) - ANSWER_TOKENS) - question.length;
  const system = { role: 'system', content: INSTRUCTIONS };
  const content = `${numbered.join('\n\n').slice(0, room)}\n\n${question}`;
  const messages = [system, { role: 'user', content }];
  for await (const piece of write(models.chat, messages, ANSWER_TOKENS)) {
    element('answer').append(piece);
  }
}
