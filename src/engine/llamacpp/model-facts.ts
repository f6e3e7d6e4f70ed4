import * as v from 'valibot';
import {
  numbers,
  optionalField,
  readGgufHeader,
  texts,
  type GgufHeader,
} from '../../core/files/gguf/gguf-header.ts';
import type { Sampling } from '../../core/operations/jobs/jobs.ts';
import { TOOL_TEMPLATE, type TokenizerFacts } from '../conversation/prompt/tokenizer-files.ts';

/** The facts in a GGUF file that we use beside llama.cpp. */
export interface ModelFacts {
  tokenizer: TokenizerFacts;
  /** The file's own sampling defaults. */
  sampling: Sampling;
  /** Whether the tokenizer puts a space before a text, which decoding drops again. */
  stripsFirstSpace: boolean;
}

/** Values of `tokenizer.ggml.token_type`: `LLAMA_TOKEN_TYPE_CONTROL` and `_USER_DEFINED`. */
const CONTROL = 3;
const USER_DEFINED = 4;

const TEMPLATE = 'tokenizer.chat_template';

/** @throws GgufError if the file is not a GGUF file or is damaged */
export async function readModelFacts(name: string, file: Blob): Promise<ModelFacts> {
  return modelFacts(await readBlobHeader(name, file));
}

/** @throws GgufError if the file is not a GGUF file or is damaged */
export function readBlobHeader(name: string, file: Blob): Promise<GgufHeader> {
  const read = async (offset: number, length: number) =>
    new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  return readGgufHeader({ name, size: file.size, read });
}

/** @throws GgufError if a field has another type than the format says */
export function modelFacts(header: GgufHeader): ModelFacts {
  const model = optionalField(header, 'tokenizer.ggml.model', v.string());
  const addsSpace = optionalField(header, 'tokenizer.ggml.add_space_prefix', v.boolean());
  return {
    tokenizer: tokenizerFacts(header),
    sampling: samplingDefaults(header),
    // llama.cpp's own default, for SentencePiece only.
    stripsFirstSpace: model === 'llama' && addsSpace !== false,
  };
}

function tokenizerFacts(header: GgufHeader): TokenizerFacts {
  const tokens = optionalField(header, 'tokenizer.ggml.tokens', texts);
  const types = optionalField(header, 'tokenizer.ggml.token_type', numbers) ?? [];
  const textOf = (key: string) => tokens?.at(optionalField(header, key, v.number()) ?? -1) ?? '';
  const added = types.flatMap((type, id) =>
    type === CONTROL || type === USER_DEFINED ? { text: tokens?.at(id) ?? '', id, type } : [],
  );
  return {
    chatTemplate: chatTemplate(header) || undefined,
    toolTemplate: optionalField(header, `${TEMPLATE}.${TOOL_TEMPLATE}`, v.string()) || undefined,
    bosToken: textOf('tokenizer.ggml.bos_token_id'),
    eosToken: textOf('tokenizer.ggml.eos_token_id'),
    controlTokens: added.filter(({ type }) => type === CONTROL).map(({ text }) => text),
    tokenIds: new Map(added.map(({ text, id }) => [text, id])),
  };
}

/** Files with several templates name all but the default one. */
function chatTemplate(header: GgufHeader): string | undefined {
  const named = [...header.metadata.keys()].find((key) => key.startsWith(`${TEMPLATE}.`));
  return (
    optionalField(header, TEMPLATE, v.string()) ??
    (named === undefined ? undefined : optionalField(header, named, v.string()))
  );
}

/** The keys that llama.cpp reads itself: https://github.com/ggml-org/llama.cpp/pull/17120 */
function samplingDefaults(header: GgufHeader): Sampling {
  const number = (key: string) => optionalField(header, `general.sampling.${key}`, v.number());
  const [temperature, topP, topK] = [number('temp'), number('top_p'), number('top_k')];
  const [minP, repetitionPenalty] = [number('min_p'), number('penalty_repeat')];
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    // 0 and less mean all tokens.
    ...(topK !== undefined && topK > 0 && { topK }),
    ...(minP !== undefined && { minP }),
    ...(repetitionPenalty !== undefined && repetitionPenalty > 0 && { repetitionPenalty }),
  };
}
