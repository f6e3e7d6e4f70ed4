import * as v from 'valibot';
import { ApiError, serverError } from '../../../core/errors/errors.ts';
import type { FindableTask, FoundModel } from '../../../core/operations/events/found-model.ts';
import { fetchAs, licenseOf } from './hub.ts';

type Format = FoundModel['formats'][number];

/** One search request. The hub takes one file format and one of its tasks at a time. */
interface Question {
  format: Format;
  /** The hub's name of the task. Undefined for chat: many text models have no task there, so we filter the results. */
  task?: string;
}

const QUESTIONS: Record<FindableTask, Question[]> = {
  chat: [{ format: 'gguf' }, { format: 'mlc' }],
  embedding: [
    { format: 'onnx', task: 'feature-extraction' },
    { format: 'onnx', task: 'sentence-similarity' },
  ],
  rerank: [{ format: 'onnx', task: 'text-ranking' }],
  transcription: [{ format: 'onnx', task: 'automatic-speech-recognition' }],
};

/** The hub's tag for repositories with files of this format. */
const TAGS: Record<Format, string> = { gguf: 'gguf', mlc: 'mlc-llm', onnx: 'onnx' };

/** The hub's tasks of models that can chat. */
const CHAT_TASKS = new Set([
  ...['text-generation', 'text2text-generation', 'image-text-to-text', 'any-to-any'],
]);

/** Most results of one request. */
const LIMIT = 20;

/** Without `expand`, the answer lacks the licence of some models, and has long lists that are not needed. */
const EXPAND = ['pipeline_tag', 'gated', 'downloads', 'likes', 'tags'];

/** The hub's list: https://huggingface.co/docs/hub/api#get-apimodels */
const listSchema = v.array(
  v.object({
    id: v.string(),
    downloads: v.optional(v.number(), 0),
    likes: v.optional(v.number(), 0),
    /** `auto` or `manual` if users have to request access. */
    gated: v.optional(v.union([v.boolean(), v.string()]), false),
    pipeline_tag: v.optional(v.string()),
    tags: v.optional(v.array(v.string()), []),
  }),
);

/**
 * Searches the hub for models that this library could run. Adding a model checks whether this device can.
 *
 * @param hub - its URL, "/" at its end
 * @returns models, the most downloaded first
 * @throws ApiError 500 if the hub cannot be reached, or has no search
 */
export async function searchHub(
  hub: string,
  { query, task }: { query: string; task: FindableTask },
  signal: AbortSignal,
): Promise<FoundModel[]> {
  const lists = await Promise.all(
    QUESTIONS[task].map((question) => ask(hub, query, task, question, signal)),
  );
  const found = new Map<string, FoundModel>();
  for (const model of lists.flat()) {
    const formats = new Set([...(found.get(model.id)?.formats ?? []), ...model.formats]);
    found.set(model.id, { ...model, formats: [...formats] });
  }
  return [...found.values()].sort((a, b) => b.downloads - a.downloads);
}

async function ask(
  hub: string,
  query: string,
  task: FindableTask,
  question: Question,
  signal: AbortSignal,
): Promise<FoundModel[]> {
  const { format } = question;
  const url = new URL('api/models', hub);
  const asked = { search: query, filter: TAGS[format], sort: 'downloads', direction: '-1' };
  url.search = new URLSearchParams([
    ...Object.entries({ ...asked, limit: String(LIMIT) }),
    ...(question.task === undefined ? [] : [['pipeline_tag', question.task]]),
    ...EXPAND.map((name) => ['expand', name]),
  ]).toString();
  const list = await fetchAs(listSchema, url, query, signal).catch((error: unknown) => {
    throw isNotFound(error) ? noSearch(hub) : error;
  });
  return list.flatMap(({ id, downloads, likes, gated, pipeline_tag: its, tags }) => {
    if (task === 'chat' && its !== undefined && !CHAT_TASKS.has(its)) return [];
    const license = licenseOf(tags);
    return {
      id,
      task,
      formats: [format],
      downloads,
      likes,
      gated: gated !== false,
      ...(license !== undefined && { license }),
    };
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.data.status === 404;
}

function noSearch(hub: string): ApiError {
  return serverError('engine_error', `The hub at ${new URL(hub).origin} has no search.`);
}
