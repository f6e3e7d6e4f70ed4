/**
 * What proposes tokens. `forced`: a grammar that allows no other text. `prediction`: the client. `lookup`: the prompt and
 * the answer so far, whose texts are often repeated.
 */
export const DRAFT_KINDS = ['forced', 'prediction', 'lookup'] as const;

export type DraftKind = (typeof DRAFT_KINDS)[number];

/** How many tokens were computed before it was certain that they are written, and how many of these were written. */
export interface DraftCounts {
  drafted: number;
  accepted: number;
}

export type Drafts = Partial<Record<DraftKind, DraftCounts>>;

/** @param kinds - undefined: all */
export function draftCounts(
  drafts: Drafts = {},
  kinds: readonly DraftKind[] = DRAFT_KINDS,
): DraftCounts {
  const total: DraftCounts = { drafted: 0, accepted: 0 };
  for (const kind of kinds) {
    total.drafted += drafts[kind]?.drafted ?? 0;
    total.accepted += drafts[kind]?.accepted ?? 0;
  }
  return total;
}

/** The drafts of several answers, as a part of their usage; undefined drafts: there were none. */
export function totalDrafts(all: readonly (Drafts | undefined)[]): { drafts?: Drafts } {
  const drafts: Drafts = {};
  for (const kind of DRAFT_KINDS) {
    const given = all.flatMap((each) => each?.[kind] ?? []);
    if (given.length === 0) continue;
    const sum = (value: (counts: DraftCounts) => number) =>
      given.reduce((total, counts) => total + value(counts), 0);
    drafts[kind] = { drafted: sum((each) => each.drafted), accepted: sum((each) => each.accepted) };
  }
  return Object.keys(drafts).length > 0 ? { drafts } : {};
}
