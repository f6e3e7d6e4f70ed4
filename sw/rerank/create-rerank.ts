import * as v from 'valibot';
import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { RerankJob } from '../../src/core/operations/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { newId } from '../generation/answer/ids.ts';
import { flag, integerFrom, model, nonEmptyText, object, optional, text } from '../http/fields.ts';
import { tokensRead } from '../generation/answer/usage.ts';
import { jsonAnswer } from '../http/json-response.ts';
import { clientOf } from '../model-access.ts';
import { onSeenModel } from '../seen-models.ts';

/** Most documents of a request. */
const MOST_DOCUMENTS = 1_000;

const documentSchema = v.union(
  [
    v.string(),
    v.pipe(
      object({ text: v.string() }),
      v.transform((document) => document.text),
    ),
  ],
  'must be a string or an object with a text',
);

export const rerankRequestSchema = object(
  {
    model,
    query: nonEmptyText,
    documents: v.array(documentSchema, 'must be an array'),
    top_n: integerFrom(1),
    return_documents: optional(flag),
    max_tokens_per_doc: integerFrom(1),
    rank_fields: optional(v.array(text, 'must be an array')),
  },
  'must be a JSON object',
);

interface RankedDocument {
  index: number;
  relevance_score: number;
  document?: { text: string };
}

/** `POST v1/rerank`, in one shape for the clients of Cohere, Jina and vLLM. */
export async function createRerank(context: Context): Promise<Response> {
  const body = await context.body.parse(rerankRequestSchema);
  const { model: id, query, documents, max_tokens_per_doc: maxDocumentTokens } = body;
  refuseUnsupported(body);
  const job: RerankJob = {
    op: 'rerank',
    model: id,
    query,
    documents,
    ...clientOf(context.key),
    ...(maxDocumentTokens != null && { maxDocumentTokens }),
  };
  const answer = () =>
    jsonAnswer(context, { job, fieldOf: ({ part }) => part }, async (running) => {
      const results: RankedDocument[] = [];
      let tokens = 0;
      await running.each((event) => {
        if (event.type !== 'scores') return;
        for (const [at, index] of event.places.entries()) {
          results[index] = {
            index,
            relevance_score: event.scores[at] ?? 0,
            ...(body.return_documents && { document: { text: documents[index] ?? '' } }),
          };
        }
        tokens += event.tokens;
      });
      return {
        id: newId('rerank-'),
        object: 'list',
        model: id,
        results: results
          .toSorted((a, b) => b.relevance_score - a.relevance_score)
          .slice(0, body.top_n ?? documents.length),
        usage: tokensRead(tokens),
        // Without it, the AI SDK refuses the answer.
        meta: { api_version: { version: '1' } },
      };
    });
  return onSeenModel(context, id, 'rerank', answer);
}

/** @throws ApiError 400 for faults that the schema does not find */
export function refuseUnsupported({
  documents,
  rank_fields,
}: v.InferOutput<typeof rerankRequestSchema>): void {
  const param = 'documents';
  if (documents.length === 0) {
    throw invalidRequest(`'${param}' must not be empty.`, param, 'empty_array');
  }
  if (documents.length > MOST_DOCUMENTS) {
    throw invalidRequest(`'${param}' must have at most ${MOST_DOCUMENTS} documents.`, param);
  }
  if (rank_fields?.length) {
    throw unsupportedValue("'rank_fields' is not supported: send texts.", 'rank_fields');
  }
}
