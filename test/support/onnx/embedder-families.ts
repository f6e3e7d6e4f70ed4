import { json, WIDTH, wordEmbedder, type Kind } from './word-embedder.ts';

type Files = Map<string, Buffer>;

/** A repository with the layout of a family of embedders, and the facts that its files state. */
export interface Family {
  name: string;
  kind: Kind;
  pooling: 'cls' | 'mean';
  /** Most tokens of a text. */
  longest: number;
  /** Prompts before texts of these roles; undefined: the files name no prompts. */
  prompts?: { query: string; document: string };
  files: Files;
  /** Files of the base model; undefined: the repository's own files suffice. */
  base?: Files;
}

interface Layout extends Omit<Family, 'files' | 'base'> {
  config: object;
  tokenizer: object;
  /** Members of tokenizer.json. */
  tokenizing?: object;
  /** `sentence_bert_config.json` */
  sentence: object;
  /** `config_sentence_transformers.json` */
  sentences?: object;
  /** `1_Pooling/config.json` */
  pooled: object;
  /** The folder of classes in modules.json. */
  classes?: string;
  hasBase?: boolean;
}

const BERT = { model_type: 'bert', architectures: ['BertModel'], max_position_embeddings: 512 };
const SHORT = { max_seq_length: 512, do_lower_case: false };
const LONG = { max_seq_length: 8_192, do_lower_case: false };
const MEAN = { pooling_mode_cls_token: false, pooling_mode_mean_tokens: true };
const CLS = { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false };
const FOR_QUERIES = 'find red pears and apples : ';

const LAYOUTS: Layout[] = [
  {
    name: 'nomic-embed-text-v1.5',
    kind: 'typed',
    pooling: 'mean',
    longest: 8_192,
    prompts: { query: 'search_query: ', document: 'search_document: ' },
    config: {
      model_type: 'nomic_bert',
      architectures: ['NomicBertModel'],
      hidden_size: undefined,
      auto_map: { AutoModel: 'nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertModel' },
      n_embd: WIDTH,
      n_head: 2,
      n_layer: 1,
      n_positions: 8_192,
      rotary_emb_base: 1_000,
      // Rotary positions: the model was trained on 2,048 tokens, and reads more.
      max_position_embeddings: 2_048,
      max_trained_positions: 2_048,
    },
    tokenizer: { model_max_length: 8_192 },
    sentence: LONG,
    pooled: MEAN,
    sentences: {
      prompts: {
        query: 'search_query: ',
        document: 'search_document: ',
        classification: 'classification: ',
        clustering: 'clustering: ',
      },
      default_prompt_name: null,
    },
  },
  {
    name: 'gte-base',
    kind: 'typed',
    pooling: 'mean',
    longest: 512,
    config: BERT,
    tokenizer: { model_max_length: 512 },
    sentence: SHORT,
    pooled: MEAN,
  },
  {
    name: 'gte-modernbert-base',
    kind: 'encoder',
    pooling: 'cls',
    longest: 8_192,
    config: {
      model_type: 'modernbert',
      architectures: ['ModernBertModel'],
      max_position_embeddings: 8_192,
      global_attn_every_n_layers: 3,
      local_attention: 128,
    },
    tokenizer: { model_max_length: 8_192, model_input_names: ['input_ids', 'attention_mask'] },
    sentence: LONG,
    pooled: CLS,
  },
  {
    name: 'gte-multilingual-base',
    kind: 'pieces',
    pooling: 'cls',
    longest: 8_192,
    config: {
      model_type: 'new',
      architectures: ['NewModel'],
      max_position_embeddings: 8_192,
      auto_map: { AutoModel: 'Alibaba-NLP/new-impl--modeling.NewModel' },
      position_embedding_type: 'rope',
      type_vocab_size: 1,
      pad_token_id: 1,
    },
    tokenizer: { model_max_length: 32_768 },
    sentence: LONG,
    pooled: CLS,
  },
  {
    name: 'multilingual-e5-small',
    kind: 'pieces',
    pooling: 'mean',
    longest: 512,
    config: {
      model_type: 'xlm-roberta',
      architectures: ['XLMRobertaModel'],
      max_position_embeddings: 514,
      pad_token_id: 1,
      type_vocab_size: 1,
    },
    // The conversion lost the tokenizer's limit, which is 512 in the original.
    tokenizer: { model_max_length: 1e30 },
    sentence: {},
    pooled: MEAN,
    hasBase: true,
  },
  {
    name: 'jina-embeddings-v2-base-en',
    kind: 'typed',
    pooling: 'mean',
    longest: 8_192,
    config: {
      ...BERT,
      architectures: ['JinaBertForMaskedLM'],
      max_position_embeddings: 8_192,
      auto_map: { AutoModel: 'jinaai/jina-bert-implementation--modeling_bert.JinaBertModel' },
      position_embedding_type: 'alibi',
    },
    tokenizer: { model_max_length: 2_147_483_648 },
    sentence: LONG,
    pooled: MEAN,
  },
  {
    name: 'mxbai-embed-large-v1',
    kind: 'typed',
    pooling: 'cls',
    longest: 512,
    prompts: { query: FOR_QUERIES, document: '' },
    config: BERT,
    tokenizer: { model_max_length: 512 },
    sentence: SHORT,
    pooled: { ...CLS, include_prompt: true },
    sentences: { prompts: { query: FOR_QUERIES, passage: '' }, default_prompt_name: null },
  },
  {
    name: 'all-MiniLM-L6-v2',
    kind: 'typed',
    pooling: 'mean',
    longest: 256,
    config: BERT,
    tokenizer: { model_max_length: 512 },
    // Both settings come from training, and neither limits what the model reads.
    tokenizing: {
      truncation: { max_length: 128, strategy: 'LongestFirst', stride: 0 },
      padding: { strategy: { Fixed: 128 }, pad_id: 0, pad_type_id: 0, pad_token: '[PAD]' },
    },
    sentence: { max_seq_length: 256, do_lower_case: false },
    pooled: MEAN,
    hasBase: true,
  },
  {
    name: 'snowflake-arctic-embed-m',
    kind: 'typed',
    pooling: 'cls',
    longest: 512,
    // The files name a prompt for queries only, so documents have none.
    prompts: { query: FOR_QUERIES, document: '' },
    config: BERT,
    tokenizer: { model_max_length: 512 },
    sentence: SHORT,
    pooled: CLS,
    sentences: { prompts: { query: FOR_QUERIES } },
  },
  {
    name: 'saved-by-a-newer-version',
    kind: 'typed',
    pooling: 'mean',
    longest: 384,
    prompts: { query: '', document: '' },
    config: BERT,
    tokenizer: { model_max_length: 384 },
    classes: 'sentence_transformers.sentence_transformer.modules',
    sentence: { transformer_task: 'feature-extraction', module_output_name: 'token_embeddings' },
    pooled: { embedding_dimension: WIDTH, pooling_mode: 'mean', include_prompt: true },
    sentences: { model_type: 'SentenceTransformer', prompts: { query: '', document: '' } },
  },
];

export const FAMILIES: Family[] = LAYOUTS.map((layout) => {
  const { name, kind, pooling, longest, prompts, hasBase } = layout;
  const [files, sentences] = [modelFiles(layout), sentenceFiles(layout)];
  const facts = { name, kind, pooling, longest, ...(prompts && { prompts }) };
  return hasBase
    ? { ...facts, files, base: sentences }
    : { ...facts, files: new Map([...files, ...sentences]) };
});

function modelFiles({ kind, config, tokenizer, tokenizing = {} }: Layout): Files {
  const files = wordEmbedder(kind);
  const members: [string, object][] = [
    ['config.json', config],
    ['tokenizer_config.json', tokenizer],
    ['tokenizer.json', tokenizing],
  ];
  for (const [path, rest] of members) {
    const content: object = JSON.parse(files.get(path)?.toString() ?? '{}');
    files.set(path, json({ ...content, ...rest }));
  }
  return files;
}

function sentenceFiles({ sentence, sentences, pooled, classes }: Layout): Files {
  const folder = classes ?? 'sentence_transformers.models';
  const type = (name: string) => `${folder}.${classes ? `${name.toLowerCase()}.` : ''}${name}`;
  const modules = [
    { idx: 0, name: '0', path: '', type: type('Transformer') },
    { idx: 1, name: '1', path: '1_Pooling', type: type('Pooling') },
    { idx: 2, name: '2', path: '2_Normalize', type: type('Normalize') },
  ];
  const width = classes ? {} : { word_embedding_dimension: WIDTH };
  return new Map([
    ['modules.json', json(modules)],
    ['1_Pooling/config.json', json({ ...width, ...pooled })],
    ['sentence_bert_config.json', json(sentence)],
    ...(sentences
      ? [['config_sentence_transformers.json', json(sentences)] as [string, Buffer]]
      : []),
  ]);
}
