/** One line of the report. */
export interface Fact {
  name: string;
  value: string;
  /** Language of the value, if it is not the console's. */
  lang?: 'en';
}
