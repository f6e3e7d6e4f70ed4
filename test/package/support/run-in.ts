import { text } from 'node:stream/consumers';
import { spawn } from 'node:child_process';

/** How a command ended. */
export interface End {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** This process's environment without telemetry and the variables of npm and Vitest, which are about this repository. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const isOfTests = (name: string) => /^(?:npm_|VITEST|NODE_ENV$)/.test(name);
  const entries = Object.entries(process.env).filter(([name]) => !isOfTests(name));
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };
  return { ...Object.fromEntries(entries), ...quiet };
}

/** Runs a program in a folder, with the environment of a user. */
export async function runIn(cwd: string, command: string, args: readonly string[]): Promise<End> {
  const child = spawn(command, args, {
    cwd,
    env: userEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'] as const,
  });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  return { code: end, stdout, stderr };
}
