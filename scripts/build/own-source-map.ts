import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import * as v from 'valibot';

const SourceMap = v.object({
  sources: v.array(v.string()),
  sourcesContent: v.array(v.nullable(v.string())),
  mappings: v.string(),
});

/** Code of packages, and what compilers and bundlers wrote. */
const FOREIGN = /\/node_modules\/|\/models\/llamacpp\/built\/|__vite|^$|\0/;

/** A source map without the sources of packages. What comes from them leads nowhere. */
export function mapOfOwnSources(json: string): string {
  const { sources, sourcesContent, mappings } = v.parse(SourceMap, JSON.parse(json));
  const own = sources.flatMap((source, at) => (FOREIGN.test(source) ? [] : [at]));
  const places = new Map(own.map((at, place) => [at, place]));
  const lines = decode(mappings).map((line) => ownSegments(line, places));
  return JSON.stringify({
    version: 3,
    sources: own.map((at) => sources[at]),
    sourcesContent: own.map((at) => sourcesContent[at]),
    names: [],
    mappings: encode(lines),
  });
}

function ownSegments(
  line: readonly SourceMapSegment[],
  places: ReadonlyMap<number, number>,
): SourceMapSegment[] {
  const segments: SourceMapSegment[] = [];
  for (const [column, source, row, place] of line) {
    const own = source === undefined ? undefined : places.get(source);
    if (own !== undefined) segments.push([column, own, row ?? 0, place ?? 0]);
    else if (segments.at(-1) && segments.at(-1)?.length !== 1) segments.push([column]);
  }
  return segments;
}
