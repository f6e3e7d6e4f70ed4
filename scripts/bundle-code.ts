/** Tells webpack and Vite that the addresses in `import()` are known only when the app runs. */
export function leavingImports(code: string): string {
  return code.replaceAll(/\bimport\((?!\/)/g, 'import(/* webpackIgnore: true *//* @vite-ignore */');
}

/** Vite's minifier is fast; after several passes of Terser, scripts are 2 % smaller. */
export async function smallest(minified: string): Promise<string> {
  const { minify } = await import('terser');
  const compress = { passes: 3, ecma: 2020, pure_getters: true, inline: 3 } as const;
  const { code } = await minify(minified, { ecma: 2020, toplevel: true, compress });
  return code ?? minified;
}
