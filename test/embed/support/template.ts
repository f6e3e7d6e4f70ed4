import { beforeAll, test, vi } from 'vitest';
import type { Project } from '../../package/support/project.ts';
import { builtExample, makeNew } from './example.ts';
import { preview } from './preview.ts';
import { visit } from './visit.ts';

export interface Template {
  /** Name of the folder in `examples/`. */
  name: string;
  /** Path of the home page, which is the folder of slashv1's files. Default: `/`. */
  home?: string;
  /** Path of the second page, relative to the home page. */
  deep: string;
  /** Arguments that tell its server the port. */
  options: (port: string) => string[];
}

/** The test of a template: it is built as a user would build it, and opened in Chromium. */
export function testTemplate({ name, home = '/', deep, options }: Template): void {
  // Frameworks are slow to build, and models are compiled on the CPU.
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

  let project: Project;

  beforeAll(async () => {
    project = await builtExample(name);
  });

  test('a deep route first, then without the server, then after a deploy', async () => {
    const serve = (port?: string) => preview(project, options, port);
    await visit({ home, deep, serve, deploy: () => makeNew(project) });
  });
}
