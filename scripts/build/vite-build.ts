import type { build as viteBuild, InlineConfig } from 'vite';

/**
 * Runs Vite's build, and leaves this process's environment as it was: Vite sets NODE_ENV, which every later
 * command would inherit, and with NODE_ENV=production `npm ci` leaves out dev dependencies. One build at a time.
 */
export async function build(config: InlineConfig): ReturnType<typeof viteBuild> {
  const { NODE_ENV } = process.env;
  try {
    // Imported here, so that a start with nothing to build does not wait for Vite to load.
    const vite = await import('vite');
    return await vite.build(config);
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}
