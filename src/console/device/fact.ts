/** One line of the report. */
export interface Fact {
  name: string;
  value: string;
}
