import * as v from 'valibot';
import { ConfigFault } from '../../../core/files/model-config.ts';
import { requireUsablePatterns } from '../../download/hub/usable-patterns.ts';
import { parseFile, readJson, type ReadFile } from '../../download/transfer/read-file.ts';

const TOKENIZER = 'tokenizer.json';

/** Ids of the special tokens that stand before and after a text. */
export interface AroundText {
  before: number[];
  after: number[];
}

const NOTHING: AroundText = { before: [], after: [] };

const processorSchema = v.looseObject({ type: v.string() });
const sequenceSchema = v.object({ processors: v.array(processorSchema) });
const bertSchema = v.object({
  cls: v.tuple([v.string(), v.number()]),
  sep: v.tuple([v.string(), v.number()]),
});
const templateSchema = v.object({
  single: v.array(
    v.union([
      v.object({ SpecialToken: v.object({ id: v.string() }) }),
      v.object({ Sequence: v.object({}) }),
    ]),
  ),
  special_tokens: v.record(v.string(), v.object({ ids: v.array(v.number()) })),
});
const tokenizerSchema = v.object({ post_processor: v.nullish(processorSchema) });

/**
 * The special tokens around a text, as `tokenizer.json` names them. WebLLM's tokenizer leaves them out.
 *
 * @throws ModelFileError if the file cannot be used, ConfigFault if it asks for something unknown
 */
export async function readAroundText(read: ReadFile): Promise<AroundText> {
  const tokenizer = await readJson(read, TOKENIZER);
  requireUsablePatterns(tokenizer);
  const { post_processor: processor } = parseFile(tokenizerSchema, tokenizer, TOKENIZER);
  return processor ? aroundText(processor) : NOTHING;
}

function aroundText(processor: v.InferOutput<typeof processorSchema>): AroundText {
  switch (processor.type) {
    case 'TemplateProcessing':
      return inTemplate(parseFile(templateSchema, processor, TOKENIZER));
    case 'BertProcessing':
    case 'RobertaProcessing': {
      const { cls, sep } = parseFile(bertSchema, processor, TOKENIZER);
      return { before: [cls[1]], after: [sep[1]] };
    }
    case 'ByteLevel':
      return NOTHING;
    case 'Sequence': {
      const all = parseFile(sequenceSchema, processor, TOKENIZER).processors.map(aroundText);
      return {
        before: all.toReversed().flatMap(({ before }) => before),
        after: all.flatMap(({ after }) => after),
      };
    }
    default:
      throw new ConfigFault(`its ${TOKENIZER} has the unknown post-processor ${processor.type}`);
  }
}

function inTemplate({
  single,
  special_tokens: tokens,
}: v.InferOutput<typeof templateSchema>): AroundText {
  const place = single.findIndex((piece) => 'Sequence' in piece);
  if (place < 0) throw new ConfigFault(`its ${TOKENIZER} has a template without the text`);
  const ids = (pieces: typeof single) =>
    pieces.flatMap((piece) => {
      if (!('SpecialToken' in piece)) return [];
      const { id } = piece.SpecialToken;
      const token = tokens[id];
      if (token) return token.ids;
      throw new ConfigFault(`its ${TOKENIZER} has no ids of ${id}`);
    });
  return { before: ids(single.slice(0, place)), after: ids(single.slice(place + 1)) };
}

/**
 * The model's files, with a tokenizer that neither truncates nor pads. Many files ask it to truncate long texts, which
 * would go unnoticed, and to pad short ones.
 */
export function withWholeTexts(read: ReadFile): ReadFile {
  return async (path) => {
    if (path !== TOKENIZER) return read(path);
    const tokenizer = v.parse(v.looseObject({}), await readJson(read, path));
    return new Blob([JSON.stringify({ ...tokenizer, truncation: null, padding: null })]);
  };
}
