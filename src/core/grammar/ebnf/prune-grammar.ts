import {
  choice,
  NEVER,
  references,
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
  let waiting = [...rules].reverse();
  for (let before = -1; before !== live.size;) {
    before = live.size;
    waiting = waiting.filter(([name, body]) => {
      const found = isProductive(body, live);
      if (found) live.add(name);
      return !found;
    });
  }
  return live;
}

/** Whether an expression matches a text of live rules. */
function isProductive(expression: Expression, live: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'text':
    case 'set':
    case 'until':
      return true;
    case 'sequence':
      return expression.items.every((item) => isProductive(item, live));
    case 'choice':
      return expression.items.some((item) => isProductive(item, live));
    case 'repeat':
      return expression.min === 0 || isProductive(expression.item, live);
    case 'rule':
      return live.has(expression.name);
    case 'followed':
      return isProductive(expression.item, live);
  }
}

/** The expression without the parts that match nothing. */
function prune(expression: Expression, live: ReadonlySet<string>): Expression {
  switch (expression.kind) {
    case 'text':
    case 'set':
    case 'until':
      return expression;
    case 'sequence': {
      const items = expression.items.map((item) => prune(item, live));
      return isSame(items, expression.items) ? expression : sequence(...items);
    }
    case 'choice': {
      const items = expression.items.map((item) => prune(item, live));
      return isSame(items, expression.items) ? expression : choice(...items);
    }
    case 'repeat':
      return repeat(prune(expression.item, live), expression.min, expression.max);
    case 'rule':
      return live.has(expression.name) ? expression : NEVER;
    case 'followed':
      // Both parts match characters only.
      return expression;
  }
}

/** Whether nothing was pruned. Then `sequence` must not simplify the items: see counted-characters.ts. */
function isSame(items: readonly Expression[], before: readonly Expression[]): boolean {
  return items.every((item, index) => item === before[index]);
}
