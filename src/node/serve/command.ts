import { endSignal } from '../end-signal.ts';
import { parseServeOptions, SERVE_HELP } from './options.ts';
import { serve } from './serve.ts';

/** `slashv1 serve`. @param args - what follows on the command line */
export async function serveCommand(args: string[]): Promise<void> {
  const options = parseServeOptions(args);
  if (options === 'help') process.stdout.write(SERVE_HELP);
  else await serve(options, endSignal());
}
