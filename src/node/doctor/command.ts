import { parseCommandLine, UsageError } from '../command-line.ts';
import { fetchFile } from './fetched.ts';
import { findBase } from './find-base.ts';
import { note, type Finding } from './finding.ts';
import { packageFile, type ReadLibrary } from './whole.ts';
import { checkPacks } from './packs.ts';
import { checkPage } from './page.ts';
import { checkLibrary } from './scripts.ts';

export const DOCTOR_HELP = `Usage: slashv1 doctor <url> [--base <url>] [--sw <url>]

Fetches the files of a page that uses slashv1, as its server sends them, and says what is wrong: missing
files, versions that differ, headers, types, content security policies, damaged models. It fails if
something is. All models of the site are fetched for it.

  <url>     the page
  --base    the option \`base\` of start(): where the files are, relative to the page; default: the nearest
            folder that has them, from the page's own upwards
  --sw      the site's own service worker, relative to that folder, if it calls handle() of slashv1/sw
`;

/** The command `slashv1 doctor`. @param args - the arguments after `doctor` */
export async function doctorCommand(args: string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help) return void process.stdout.write(DOCTOR_HELP);
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new UsageError('Give the URL of one page.');
  const page = webUrl(address);
  const { base, sw } = values;
  const findings = await examine(page, { base, sw });
  for (const { level, text } of findings) process.stdout.write(`${level}: ${text}\n`);
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (problems > 0)
    throw new Error(`${page.href} has ${problems} problem${problems > 1 ? 's' : ''}.`);
  process.stdout.write(`${page.href} is set up correctly.\n`);
}

/** Where the files of a site are, if that is not where `start()` looks for them. */
export interface Place {
  /** Relative to the page. */
  base?: string | undefined;
  /** The site's own service worker, relative to the base. */
  sw?: string | undefined;
}

/**
 * Checks everything about a site that can be checked without a browser.
 *
 * @param library - reads the files of this package
 */
export async function examine(
  address: URL,
  { base: given, sw }: Place = {},
  library: ReadLibrary = packageFile,
): Promise<Finding[]> {
  const page = await fetchFile(address);
  const base = given === undefined ? await findBase(page) : new URL('.', webUrl(given, page.url));
  const ownWorker = sw === undefined ? undefined : webUrl(sw, base);
  const { findings, embedder } = checkPage(page, base);
  return [
    ...(page.url.href === address.href ? [] : [note(`${address.href} leads to ${page.url.href}`)]),
    ...findings,
    ...(await checkLibrary({ base, embedder, ownWorker, library })),
    ...(await checkPacks(base)),
  ];
}

function parse(args: string[]) {
  const help = { type: 'boolean', short: 'h' } as const;
  const text = { type: 'string' } as const;
  const options = { base: text, sw: text, help } as const;
  return parseCommandLine({ args, options, allowPositionals: true });
}

function webUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new UsageError(`"${text}" is not the URL of a page.`);
}
