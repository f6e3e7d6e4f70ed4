import type { Arguments, Found, Value } from '../values/values.ts';

/** Jinja's `environment.getitem`. */
export type Member = (value: Value, name: Value) => Value;

/** What a filter is called with beside its arguments. */
export interface FilterCall {
  named: Arguments;
  member: Member;
}

/** @param args - those of the filter's parameters, in their order, however the template gives them */
export type Filter = (value: Value, args: readonly Found[], call: FilterCall) => Value;
