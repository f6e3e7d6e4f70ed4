import {
  choice,
  isNever,
  NEVER,
  repeat,
  sequence,
  type Expression,
  type Rules,
} from './expression.ts';

/**
 * The grammar without branches that can never be completed: a model that entered one would write for ever.
 * Rules that are not used are removed too.
 *
 * @returns undefined if `root` matches nothing
 */
export function pruneGrammar(rules: Rules): Rules | undefined {
  const live = productiveRules(rules);
  if (!live.has('root')) return undefined;
  const kept = new Map<string, Expression>();
  const visit = (name: string) => {
    const body = rules.get(name);
    if (!body || kept.has(name)) return;
    const pruned = prune(body, live);
    kept.set(name, pruned);
    references(pruned).forEach(visit);
  };
  visit('root');
  return kept;
}

/** Rules that match at least one text. */
function productiveRules(rules: Rules): Set<string> {
  const live = new Set<string>();
  // Most rules precede those that they refer to, so this order needs fewer passes.
  const backwards = [...rules].reverse();
  for (let grew = true; grew;) {
    grew = false;
    for (const [name, body] of backwards) {
      if (live.has(name) || isNever(prune(body, live))) continue;
      live.add(name);
      grew = true;
    }
  }
  return live;
}

function prune(expression: Expression, live: ReadonlySet<string>): Expression {
  switch (expression.kind) {
    case 'text':
    case 'set':
      return expression;
    case 'sequence':
      return sequence(...expression.items.map((item) => prune(item, live)));
    case 'choice':
      return choice(...expression.items.map((item) => prune(item, live)));
    case 'repeat':
      return repeat(prune(expression.item, live), expression.min, expression.max);
    case 'rule':
      return live.has(expression.name) ? expression : NEVER;
  }
}

function references(expression: Expression): string[] {
  switch (expression.kind) {
    case 'text':
    case 'set':
      return [];
    case 'sequence':
    case 'choice':
      return expression.items.flatMap(references);
    case 'repeat':
      return references(expression.item);
    case 'rule':
      return [expression.name];
  }
}
