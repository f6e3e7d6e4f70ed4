import { start } from './slashv1.js';

let v1;

/** Starts the API. Returns the site's first model for each task: `embedding`, `rerank`, `chat`, … */
export async function startModels(onProgress) {
  v1 = await start({ onProgress });
  const models = await v1.models.list();
  const usable = models.filter(({ embedded, state }) => embedded || /installed|loaded/.test(state));
  return Object.fromEntries(usable.reverse().map((model) => [model.task, model]));
}

/** @param kind `query` or `document`: the model's own prompt for it stands before the texts */
export async function embed(model, texts, kind) {
  try {
    const { data } = await post('embeddings', { model: model.id, input: texts, input_type: kind });
    return data.map(({ embedding }) => embedding);
  } catch (error) {
    // Many models have no prompts, or none for documents.
    if (error.param === 'input_type') return embed(model, texts);
    if (error.code !== 'context_length_exceeded') throw error;
  }
  if (texts.length > 1) {
    return (await Promise.all(texts.map((text) => embed(model, [text], kind)))).flat();
  }
  // The vector of a text that is too long is the sum of its halves' vectors.
  const middle = Math.ceil(texts[0].length / 2);
  const halves = [texts[0].slice(0, middle), texts[0].slice(middle)];
  const [first, second] = await embed(model, halves, kind);
  return [first.map((value, index) => value + second[index])];
}

/** The chunks that answer the query, best first. */
export async function rerank(model, query, chunks) {
  const documents = chunks.map(({ passage }) => passage);
  const { results } = await post('rerank', { model: model.id, query, documents });
  return results.map(({ index }) => chunks[index]);
}

/** Yields the pieces of the answer. */
export async function* write(model, messages, maxTokens) {
  const options = { stream: true, temperature: 0, max_tokens: maxTokens };
  const body = await post('chat/completions', { model: model.id, messages, ...options });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n');
    rest = lines.pop();
    for (const line of lines.filter((each) => each.startsWith('data: {'))) {
      const { choices, error } = JSON.parse(line.slice('data: '.length));
      if (error) throw new Error(error.message);
      yield choices[0]?.delta.content ?? '';
    }
  }
}

/** Returns the answer, or its bytes if it is to be streamed. */
async function post(path, body) {
  const headers = { authorization: `Bearer ${v1.apiKey}` };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${v1.baseURL}/${path}`, request);
  if (response.ok) return body.stream ? response.body : response.json();
  const { error } = await response.json();
  throw Object.assign(new Error(error.message), error);
}
