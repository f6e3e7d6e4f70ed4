import { createInterface } from 'node:readline/promises';
import { PACK_NAMES } from '../pack/sources/named-packs.ts';
import type { SiteChoices } from './options.ts';

/** Asks a person a question, and returns the answer. */
export type Ask = (question: string) => Promise<string>;

/** The choices that the command line left open. An empty answer takes the default. */
export async function askChoices(defaults: SiteChoices, ask: Ask): Promise<SiteChoices> {
  const text = async (question: string, usual: string) =>
    (await ask(`${question} [${usual}] `)).trim() || usual;
  const yes = async (question: string, usual: boolean) =>
    /^y/i.test(await text(question, usual ? 'yes' : 'no'));
  const folder = await text('The folder that your site serves as it is?', defaults.folder);
  const model = await text(
    `The model that comes with it: ${PACK_NAMES.join(', ')}, a path, or none?`,
    defaults.packs[0] ?? 'none',
  );
  const webllm = await yes('Text on the GPU, 6 MB?', defaults.webllm);
  const llamacpp = await yes('Text on devices without a GPU, 7 MB?', defaults.llamacpp);
  const speech = await yes('Speech, 34 MB?', defaults.speech);
  // Speech has all files of embeddings.
  const embeddings = speech || (await yes('Embeddings, 32 MB?', defaults.embeddings));
  const packs = model === 'none' ? [] : [model];
  const { llamacppGpu, pdf, sw } = defaults;
  return { folder, packs, webllm, llamacpp, llamacppGpu, speech, embeddings, pdf, sw };
}

/**
 * Asks in the terminal; undefined if there is none.
 *
 * @throws Error if the person ends the input
 */
export async function inTerminal<T>(use: (ask: Ask) => Promise<T>): Promise<T | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new Error('No answer was given. Nothing was changed.')));
  });
  try {
    return await Promise.race([use((question) => lines.question(question)), closed]);
  } finally {
    lines.close();
  }
}
