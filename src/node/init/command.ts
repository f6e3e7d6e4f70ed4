import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../core/version.ts';
import { cacheFolder } from '../pack/sources/cache-folder.ts';
import { PACK_NAMES } from '../pack/sources/named-packs.ts';
import { packName } from '../pack/writing/put-pack.ts';
import { packNames } from '../packs-folder.ts';
import { askChoices, inTerminal } from './ask.ts';
import { INIT_HELP, parseInitOptions, type InitOptions, type SiteChoices } from './options.ts';
import { saveChoices, savedChoices } from './saved-choices.ts';
import { copySiteFiles, describeOutdated, outdatedFiles, unusedFiles } from './site-files.ts';
import { packProblems, putPacks, type SitePacks } from './site-packs.ts';

/** A site with this pack gets the files of speech, too. */
const SPEECH_PACK = 'kokoro';

/** The command `slashv1 init`. @param args - the arguments after `init` */
export async function initCommand(args: string[]): Promise<void> {
  const options = parseInitOptions(args);
  if (options === 'help') return void process.stdout.write(INIT_HELP);
  const project = process.cwd();
  const saved = savedChoices(project);
  const choices = await choose(options, saved);
  const sitePacks = { ...choices, order: options.given.packs ?? saved?.packs ?? [] };
  if (options.check) return check(choices, sitePacks);
  copySiteFiles(choices.folder, choices);
  await putPacks(sitePacks, cacheFolder());
  if (options.save) saveChoices(project, choices);
  process.stdout.write(`${summary(choices)}\n`);
}

/** Takes the choices from the command line, then from package.json. Without either, asks the person at the terminal. */
async function choose(
  { given, check: isCheck }: InitOptions,
  saved: SiteChoices | undefined,
): Promise<SiteChoices> {
  const folder = given.folder ?? saved?.folder ?? usualFolder();
  const packs = given.packs ?? saved?.packs ?? usualPacks(folder);
  const defaults = {
    folder,
    packs,
    speech: packs.includes(SPEECH_PACK),
    embeddings: false,
    webllm: true,
    llamacpp: true,
    llamacppGpu: true,
    pdf: false,
    sw: true,
  };
  if (saved || isCheck || Object.keys(given).length > 0) return { ...defaults, ...saved, ...given };
  return (await inTerminal((ask) => askChoices(defaults, ask))) ?? defaults;
}

/** The folder that most frameworks serve as it is: SvelteKit's is `static`. */
function usualFolder(): string {
  return ['public', 'static'].find((name) => existsSync(name)) ?? 'public';
}

/** The packs in the folder that this command can make. If the folder has no packs: tiny-chat. */
function usualPacks(folder: string): string[] {
  const present = packNames(join(folder, 'packs'));
  if (present.length === 0) return ['tiny-chat'];
  return PACK_NAMES.filter((name) => present.includes(packName(name)));
}

function check(choices: SiteChoices, sitePacks: SitePacks): void {
  const { folder } = choices;
  const files = outdatedFiles(folder, choices).map((file) => describeOutdated(folder, file));
  const unused = unusedFiles(folder, choices).map((file) => `${file} is not used`);
  const problems = [...files, ...unused, ...packProblems(sitePacks)];
  if (problems.length > 0) {
    throw new Error(
      `${folder} does not fit slashv1 ${VERSION}: ${problems.join('; ')}. ` +
        'Run the same command without --check.',
    );
  }
  process.stdout.write(`${folder} is up to date with slashv1 ${VERSION}.\n`);
}

function summary(choices: SiteChoices): string {
  const { folder, packs, webllm, speech, embeddings, llamacpp, pdf } = choices;
  const texts = [webllm && 'text on the GPU', llamacpp && 'text on the CPU'];
  const parts = [
    ...texts,
    speech && 'speech',
    (speech || embeddings) && 'embeddings',
    pdf && 'PDFs',
  ];
  const models = packs.length > 0 ? ` Models: ${packs.map(packName).join(', ')}.` : '';
  return `${folder} has slashv1 ${VERSION}: ${parts.filter(Boolean).join(', ')}.${models}`;
}
