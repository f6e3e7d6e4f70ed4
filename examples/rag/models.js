import { LanguageModel } from './prompt-api.js';
import { start } from './slashv1.js';

const INSTRUCTIONS = 'Answer from the passages and cite them as [1]. If they do not help, say so.';
let v1;

/** Starts the API. Returns the site's first model for each task: `embedding`, `rerank`, `chat`, … */
export async function startModels(onProgress) {
  v1 = await start({ onProgress: (now) => /^(down)?load$/.test(now.stage) && onProgress(now) });
  const models = await v1.models.list();
  const usable = models.filter(({ embedded, state }) => embedded || /installed|loaded/.test(state));
  return Object.fromEntries(usable.reverse().map((model) => [model.task, model]));
}

/** @param kind `query` or `document`: the model's own prompt for it stands before the texts */
export async function embed(model, input, kind) {
  try {
    const { data } = await post('embeddings', { model: model.id, input, input_type: kind });
    return data.map(({ embedding }) => embedding);
  } catch (error) {
    // Many models have no prompts, or none for documents.
    if (error.param === 'input_type') return embed(model, input);
    if (error.code !== 'context_length_exceeded') throw error;
    // The vector of a text that is too long is the sum of its halves' vectors.
    const place = Number(/\d+/.exec(error.param));
    const [text, middle] = [input[place], Math.ceil(input[place].length / 2)];
    const halves = input.toSpliced(place, 1, text.slice(0, middle), text.slice(middle));
    const vectors = await embed(model, halves, kind);
    const sum = vectors[place].map((value, index) => value + vectors[place + 1][index]);
    return vectors.toSpliced(place, 2, sum);
  }
}

/** The chunks that answer the query, best first. */
export async function rerank(model, query, chunks) {
  const documents = chunks.map(({ passage }) => passage);
  const { results } = await post('rerank', { model: model.id, query, documents });
  return results.map(({ index }) => chunks[index]);
}

/** Answers from the chunks. `write` gets the pieces of the answer. */
export async function answer(question, chunks, write) {
  const session = await LanguageModel.create();
  const passages = chunks.map(({ passage }, place) => `[${place + 1}] ${passage}`).join('\n\n');
  // At most three quarters of the context: a token of most texts has two characters at least.
  const room = 1.5 * session.contextWindow - question.length;
  const prompt = [INSTRUCTIONS, passages.slice(0, room), question].join('\n\n');
  await session.promptStreaming(prompt).pipeTo(new WritableStream({ write }));
}

async function post(path, body) {
  const headers = { authorization: `Bearer ${v1.apiKey}` };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${v1.baseURL}/${path}`, request);
  const answered = await response.json();
  if (response.ok) return answered;
  throw Object.assign(new Error(answered.error.message), answered.error);
}
