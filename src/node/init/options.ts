import type { ParseArgsConfig } from 'node:util';
import type { UsedParts } from '../library-files.ts';
import { either, parseCommandLine, UsageError } from '../command-line.ts';

/** The parts of slashv1 that a site has. */
export interface SiteChoices extends UsedParts {
  /** The folder that is served with `sw.js`, relative to the project. */
  folder: string;
  /** Packs in the forms that `putPack` takes; the first is the default model. */
  packs: string[];
}

export interface InitOptions {
  /** Only what the command line says. */
  given: Partial<SiteChoices>;
  save: boolean;
  check: boolean;
}

export const INIT_HELP = `Usage: slashv1 init [folder] [options]

Copies the files of slashv1 into the folder of your site that is served as it is, such as public, and
removes its own files of parts that you no longer choose. Run it again after each update of slashv1.
Without a terminal it asks no questions.

Options:
  --pack <source>         a model that comes with the site: tiny-chat, smollm2, kokoro, a GGUF file, the
                          folder of a pack, or owner/name on the hub; may be repeated; the first is the
                          default model. Default: the packs that the folder has, or else tiny-chat
  --no-pack               no model comes with the site
  --webllm, --no-webllm   with or without text on the GPU, 6 MB (default: with)
  --speech, --no-speech   with or without speech, 34 MB (default: with kokoro only)
  --embeddings, --no-embeddings
                          with or without embeddings and reranking, 32 MB, which speech brings too
                          (default: without)
  --llamacpp, --no-llamacpp
                          with or without text on the CPU, 7 MB (default: with)
  --llamacpp-gpu, --no-llamacpp-gpu
                          with or without GGUF files on the GPU, 4 MB (default: with)
  --pdf, --no-pdf         with or without searches in PDFs, 2 MB (default: without)
  --sw, --no-sw           with or without a service worker: without, your own one calls handle() of slashv1/sw
                          (default: with)
  --save                  remember all of this in package.json: then \`slashv1 init\` is enough
  --check                 change nothing; fail if the folder is out of date
  --help                  show this help
`;

const FLAGS = {
  pack: { type: 'string', multiple: true },
  'no-pack': { type: 'boolean' },
  webllm: { type: 'boolean' },
  'no-webllm': { type: 'boolean' },
  speech: { type: 'boolean' },
  'no-speech': { type: 'boolean' },
  embeddings: { type: 'boolean' },
  'no-embeddings': { type: 'boolean' },
  llamacpp: { type: 'boolean' },
  'no-llamacpp': { type: 'boolean' },
  'llamacpp-gpu': { type: 'boolean' },
  'no-llamacpp-gpu': { type: 'boolean' },
  pdf: { type: 'boolean' },
  'no-pdf': { type: 'boolean' },
  sw: { type: 'boolean' },
  'no-sw': { type: 'boolean' },
  save: { type: 'boolean' },
  check: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

function parse(args: string[]) {
  return parseCommandLine({ args, options: FLAGS, allowPositionals: true });
}

type Values = ReturnType<typeof parse>['values'];

/**
 * The options of `slashv1 init`, or `help` if the user asked for it.
 *
 * @throws UsageError
 */
export function parseInitOptions(args: string[]): InitOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [folder, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`Only one folder can be set up: ${more.join(', ')}.`);
  if (values.check && values.save) throw new UsageError('--check changes nothing: drop --save.');
  const { save = false, check = false } = values;
  const packs = givenPacks(values);
  const names = ['webllm', 'speech', 'embeddings', 'llamacpp', 'pdf', 'sw'] as const;
  const parts = names.flatMap((part) => {
    const choice = either(values, part);
    return choice === undefined ? [] : [[part, choice] as const];
  });
  const llamacppGpu = either(values, 'llamacpp-gpu');
  const given = {
    ...(llamacppGpu !== undefined && { llamacppGpu }),
    ...(folder !== undefined && { folder }),
    ...(packs && { packs }),
    ...Object.fromEntries(parts),
  };
  return { given, save, check };
}

function givenPacks({ pack, 'no-pack': none }: Values): string[] | undefined {
  if (pack && none) throw new UsageError('--pack and --no-pack exclude each other.');
  return none ? [] : pack;
}
