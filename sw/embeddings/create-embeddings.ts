import type { EmbedJob } from '../../src/core/operations/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { base64 } from '../http/base64.ts';
import { tokensRead } from '../generation/answer/usage.ts';
import { jsonAnswer } from '../http/json-response.ts';
import type { FieldOf } from '../road/running-job.ts';
import { clientOf } from '../model-access.ts';
import { onSeenModel } from '../seen-models.ts';
import { embeddingRequestSchema, textsOf } from './embedding-request.ts';

/** `POST v1/embeddings` */
export async function createEmbeddings(context: Context): Promise<Response> {
  const body = await context.body.parse(embeddingRequestSchema);
  const { model, input, dimensions, input_type: role } = body;
  const texts = textsOf(input);
  const job: EmbedJob = {
    op: 'embed',
    model,
    texts,
    ...clientOf(context.key),
    ...(dimensions != null && { dimensions }),
    ...(role != null && { role }),
  };
  const fieldOf: FieldOf = ({ part, path }) => {
    if (part === 'texts') return `input${Array.isArray(input) ? path : ''}`;
    return part === 'role' ? 'input_type' : part;
  };
  const encode = body.encoding_format === 'base64' ? asBase64 : asNumbers;
  const answer = () =>
    jsonAnswer(context, { job, fieldOf }, async (running) => {
      const data: object[] = [];
      let tokens = 0;
      await running.each((event) => {
        if (event.type !== 'vectors') return;
        const { places, values } = event;
        const length = values.length / places.length;
        for (const [at, index] of places.entries()) {
          const vector = values.subarray(at * length, (at + 1) * length);
          data[index] = { object: 'embedding', index, embedding: encode(vector) };
        }
        tokens += event.tokens;
      });
      return { object: 'list', model, data, usage: tokensRead(tokens) };
    });
  return onSeenModel(context, model, 'embedding', answer);
}

function asNumbers(vector: Float32Array): number[] {
  return Array.from(vector);
}

/** Encodes a vector as OpenAI's clients read it: 32-bit numbers, little-endian, as all browsers store them. */
function asBase64(vector: Float32Array<ArrayBuffer>): string {
  return base64(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
}
