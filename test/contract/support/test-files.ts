import type { CatalogEntry } from '../../../src/core/catalog/catalog-entry.ts';
import { jobFault } from '../../../src/core/errors/errors.ts';
import { engineOf, type Engine, type Runs } from '../../../src/core/port/engine.ts';
import { divideText } from '../../../src/core/retrieval/divide-text.ts';
import { termsOf } from '../../../src/core/retrieval/postings.ts';
import { filesDatabase } from '../../../src/engine/files/files-database.ts';
import { StoredFiles } from '../../../src/engine/files/stored-files.ts';

type FileOperation = 'files' | 'stores' | 'members' | 'find-chunks';

/** Words that the embedder reads at once. */
const MOST_WORDS = 300;

/** Everything about stored files, over an IndexedDB in memory. The vectors and scores come from the words of a text. */
export class TestFiles {
  /** Bytes that the browser gives the site. */
  quota: number | undefined;
  /** Moves the time on, milliseconds. */
  later = 0;
  /** The models of the site; none: nothing can be embedded. */
  models: CatalogEntry[] = [];
  /** Lists the models. */
  list: () => Promise<CatalogEntry[]> = async () => this.models;
  /** Words that the models read of a query. */
  longest = Infinity;
  /** The next texts cannot be embedded until this resolves. */
  held: Promise<void> = Promise.resolve();
  /** The text of every PDF. */
  pdf = '';
  /** Requests are being answered until this resolves. */
  idle: Promise<void> = Promise.resolve();
  /** All texts that were embedded as documents. */
  readonly embedded: string[] = [];
  readonly #scope = `/${crypto.randomUUID()}/`;
  readonly open = filesDatabase(this.#scope);
  /** Name of the Web Lock that is held while files are indexed. */
  readonly lock = `slashv1:index:${this.#scope}`;
  #stored: StoredFiles | undefined;

  /** Made at the first use: most tests store nothing. */
  get stored(): StoredFiles {
    this.#stored ??= this.#made();
    return this.#stored;
  }

  /** Goes on as another engine does, on the same database. */
  takeOver(): void {
    this.#stored = this.#made();
    this.#stored.indexer.wake();
  }

  /** How these jobs are run. */
  get runs(): Runs<FileOperation> {
    const stored = () => this.stored;
    return {
      async *files(job) {
        yield await stored().files.answer(job);
      },
      async *stores(job) {
        yield await stored().stores.answer(job);
      },
      async *members(job) {
        yield await stored().members.answer(job);
      },
      async *'find-chunks'(job, signal) {
        yield await stored().finder.find(job, signal);
      },
    };
  }

  #made(): StoredFiles {
    return new StoredFiles({
      open: this.open,
      quota: async () => this.quota,
      catalog: {
        list: () => this.list(),
        get: async (id) => (await this.list()).find((entry) => entry.id === id),
      },
      engine: this.#engine(),
      indexing: this.#engine(),
      readPdf: async () => this.pdf,
      idle: () => this.idle,
      lock: this.lock,
      now: () => Date.now() + this.later,
    });
  }

  #engine(): Engine<'embed' | 'rerank' | 'divide'> {
    const held = () => this.held;
    const longest = () => this.longest;
    const isTooLong = (text: string) => words(text) > longest();
    const { embedded } = this;
    return engineOf<'embed' | 'rerank' | 'divide'>({
      async *embed({ texts, role }) {
        await held();
        if (role === 'document') embedded.push(...texts);
        // Many models have a prompt for documents only.
        if (role === 'query') throw jobFault('role', 'is not supported.');
        if (texts.some(isTooLong)) throw jobFault('texts', 'is too long.', { path: '[0]' });
        const vectors = texts.map(vectorOf);
        const values = Float32Array.from(vectors.flat());
        yield { type: 'vectors', places: [...texts.keys()], values, tokens: texts.length };
      },
      async *rerank({ query, documents }) {
        if (isTooLong(query)) throw jobFault('query', 'is too long.');
        const scores = documents.map((document) => common(query, document));
        yield { type: 'scores', places: [...documents.keys()], scores, tokens: 1 };
      },
      async *divide({ text, size = { maxTokens: MOST_WORDS, overlapTokens: MOST_WORDS / 2 } }) {
        const most = Math.min(MOST_WORDS, longest());
        const pieces = (chunk: string) =>
          divideText(chunk, { maxTokens: most, overlapTokens: 0 }, words);
        const chunks = divideText(text, size, words);
        yield {
          type: 'divide',
          chunks: chunks.map((each) => ({ text: each, pieces: pieces(each) })),
          size,
        };
      },
    });
  }
}

function words(text: string): number {
  return text.trim().split(/\s+/).filter(Boolean).length;
}

/** Counts of a text's terms, in 64 classes. */
function vectorOf(text: string): number[] {
  const counts = Array.from({ length: 64 }, () => 0);
  for (const term of termsOf(text)) counts[term % 64] = (counts[term % 64] ?? 0) + 1;
  const length = Math.hypot(...counts) || 1;
  return counts.map((count) => count / length);
}

/** The part of the query's terms that a document has. */
function common(query: string, document: string): number {
  const terms = termsOf(query);
  const own = new Set(termsOf(document));
  return terms.filter((term) => own.has(term)).length / terms.length;
}
