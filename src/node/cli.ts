#!/usr/bin/env node
import { VERSION } from '../core/version.ts';
import { runProgram } from './program.ts';
import { UsageError } from './command-line.ts';

const HELP = `Usage: slashv1 <command> [options]

Commands:
  serve [folder]  serve a site that uses slashv1, optionally with a bridge to its API
  init [folder]   copy the files of slashv1 into a site, or check that they are current
  doctor <url>    say what is wrong with a site that uses slashv1
  pack            make a model pack

Options:
  --help          show this help, or after a command, the help of that command
  --version       print the version
`;

/** The code of a command is loaded only when it runs. */
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  serve: async (args) => (await import('./serve/command.ts')).serveCommand(args),
  init: async (args) => (await import('./init/command.ts')).initCommand(args),
  doctor: async (args) => (await import('./doctor/command.ts')).doctorCommand(args),
  pack: async (args) => {
    const { packCommand, PACK_USAGE } = await import('./pack/command.ts');
    if (args.includes('--help')) process.stdout.write(PACK_USAGE);
    else await packCommand(args);
  },
};

async function main([name, ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h') process.stdout.write(HELP);
  else if (name === '--version') process.stdout.write(`${VERSION}\n`);
  else if (name === undefined) throw new UsageError('A command is missing.');
  else if (!Object.hasOwn(COMMANDS, name)) throw new UsageError(`There is no command "${name}".`);
  else await COMMANDS[name]?.(args);
}

await runProgram(() => main(process.argv.slice(2)));
