/** An error in the text of a body, or a field without effect. */
export interface Problem {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  what: string;
  /** The API would refuse the request; false: it would ignore a field. */
  isRefused: boolean;
}
