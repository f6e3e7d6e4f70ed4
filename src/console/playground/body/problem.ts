/** Something that the text of a body says wrong, or in vain. */
export interface Problem {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  what: string;
  /** The API would refuse the request; false: it would ignore a field. */
  isRefused: boolean;
}
