/** A repository, as the real hub lists it. */
export interface ListedRepository {
  id: string;
  tags: string[];
  pipeline_tag?: string;
  downloads: number;
  likes: number;
  gated: false | 'auto' | 'manual';
}

/**
 * What the real hub answers at `api/models`: repositories whose id has the words and that have the tag and the
 * task, the most downloaded first, with the fields that `expand` names.
 */
export function searchAnswer(listed: readonly ListedRepository[], asked: URLSearchParams) {
  const words = (asked.get('search') ?? '').toLowerCase();
  const tags = asked.getAll('filter');
  const task = asked.get('pipeline_tag');
  const expand = new Set(asked.getAll('expand'));
  return listed
    .filter(({ id }) => id.toLowerCase().includes(words))
    .filter((each) => tags.every((tag) => each.tags.includes(tag)))
    .filter((each) => task === null || each.pipeline_tag === task)
    .toSorted((a, b) => b.downloads - a.downloads)
    .slice(0, Number(asked.get('limit') ?? 1000))
    .map(({ id, ...facts }) => ({
      _id: '65f0c0ffee0c0ffee0c0ffee',
      id,
      ...Object.fromEntries(Object.entries(facts).filter(([name]) => expand.has(name))),
    }));
}
