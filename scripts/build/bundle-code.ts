import type { SourceMap } from 'rolldown';

/** A script, and its source map as JSON. */
export interface Code {
  code: string;
  map: string;
}

/** What bundlers that bundle a script again must leave alone: an address that is known only when the app runs. */
const FOR_BUNDLERS = /webpackIgnore|@vite-ignore/;

/** Vite's minifier is fast; after several passes of Terser, scripts are 2 % smaller. */
export async function smallest({ code, map }: { code: string; map: SourceMap }): Promise<Code> {
  const { minify } = await import('terser');
  const compress = {
    passes: 3,
    ecma: 2020,
    pure_getters: true,
    inline: 3,
    // Compresses better: functions that stand together are alike.
    hoist_funs: true,
  } as const;
  const sourceMap = { content: map.toString(), includeSources: true };
  const format = { comments: FOR_BUNDLERS };
  const small = await minify(code, { ecma: 2020, toplevel: true, compress, format, sourceMap });
  if (small.code === undefined || typeof small.map !== 'string')
    throw new Error('Terser has failed.');
  return { code: small.code, map: small.map };
}
