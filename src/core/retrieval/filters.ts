/** What the caller has noted about a file in a vector store. */
export type Attributes = Record<string, string | number | boolean>;

/** Which files are searched, by their attributes. */
export type Filter =
  | { type: 'and' | 'or'; filters: Filter[] }
  | { type: 'in' | 'nin'; key: string; value: (string | number | boolean)[] }
  | {
      type: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
      key: string;
      value: string | number | boolean;
    };

/** Whether a file passes. A missing attribute passes `ne` and `nin` only. */
export function passes(attributes: Attributes, filter: Filter): boolean {
  switch (filter.type) {
    case 'and':
      return filter.filters.every((each) => passes(attributes, each));
    case 'or':
      return filter.filters.some((each) => passes(attributes, each));
    case 'in':
    case 'nin': {
      const own = ownValue(attributes, filter.key);
      const isIn = own !== undefined && filter.value.includes(own);
      return isIn === (filter.type === 'in');
    }
    default: {
      const own = ownValue(attributes, filter.key);
      if (own === undefined) return filter.type === 'ne';
      return compares(own, filter.type, filter.value);
    }
  }
}

function ownValue(attributes: Attributes, key: string): Attributes[string] | undefined {
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined;
}

type Comparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';

function compares(own: Attributes[string], type: Comparison, value: Attributes[string]): boolean {
  if (type === 'eq') return own === value;
  if (type === 'ne') return own !== value;
  // A number is neither more nor less than a text.
  if (typeof own !== typeof value) return false;
  if (type === 'gt') return own > value;
  if (type === 'gte') return own >= value;
  return type === 'lt' ? own < value : own <= value;
}
