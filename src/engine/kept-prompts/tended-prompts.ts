import { everyHour } from '../../core/async/every-hour.ts';
import type { PromptsEvent, PromptsRequest } from '../../core/operations/prompt-caching.ts';
import { aloneIn, KeptPrompts } from './kept-prompts.ts';
import { PromptFolder } from './prompt-folder.ts';
import { hasKeptPrompts, promptsDatabase } from './prompts-database.ts';

interface TendedPromptsParts {
  /** Path of the site's folder. */
  scope: string;
  /** Ids of all keys. */
  keys: () => Promise<string[]>;
  /** Installed models, each with its version: see `versionOf`. */
  versions: () => Promise<[model: string, version: string][]>;
  /** Told of failures after which models still answer. */
  warn: (error: unknown) => void;
}

/** The prompts that a site keeps on disk. What has expired, or cannot be used any more, is deleted now and then. */
export class TendedPrompts {
  readonly #parts: TendedPromptsParts;
  readonly #kept: KeptPrompts;

  constructor(parts: TendedPromptsParts) {
    const { scope, warn } = parts;
    this.#parts = parts;
    const [open, folder] = [promptsDatabase(scope), new PromptFolder(scope)];
    this.#kept = new KeptPrompts({ open, folder, alone: aloneIn(scope) });
    everyHour(() => this.#sweep(), warn);
  }

  /** Does what a page asks for. @returns what is kept then */
  async answer({ action }: PromptsRequest): Promise<PromptsEvent> {
    // Most sites keep no prompts: there is nothing to do for them.
    if (!(await this.#exist())) return { type: 'prompts', prompts: 0, bytes: 0 };
    if (action === 'clear') await this.#kept.clear();
    if (action === 'sweep') await this.#sweep();
    return { type: 'prompts', ...(await this.#kept.size()) };
  }

  /** Deletes the prompts of a model that was removed. */
  async removeModel(model: string): Promise<void> {
    try {
      if (await this.#exist()) await this.#kept.removeModel(model);
    } catch (error) {
      this.#parts.warn(error);
    }
  }

  async #sweep(): Promise<void> {
    if (!(await this.#exist())) return;
    const { keys, versions } = this.#parts;
    const owners = new Set(['site', ...(await keys())]);
    const known = new Set((await versions()).map(String));
    await this.#kept.sweep(
      ({ owner, model, version }) => owners.has(owner) && known.has(String([model, version])),
    );
  }

  #exist(): Promise<boolean> {
    return hasKeptPrompts(this.#parts.scope);
  }
}
