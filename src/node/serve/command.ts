import { endSignal } from '../end-signal.ts';
import { parseServeOptions, SERVE_HELP } from './options/options.ts';
import { serve } from './serve.ts';

/** The command `slashv1 serve`. @param args - the arguments after `serve` */
export async function serveCommand(args: string[]): Promise<void> {
  const options = parseServeOptions(args);
  if (options === 'help') process.stdout.write(SERVE_HELP);
  else await serve(options, endSignal());
}
