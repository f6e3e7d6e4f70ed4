/** Names of fields and places in lists, from the body to a value in it. */
export type Path = readonly (string | number)[];

/** What can be said about a field of a request before it is sent. */
export interface Finding {
  /** `refused`: the API answers with a 400. `ignored`: the field has no effect on this device. */
  kind: 'refused' | 'ignored';
  /** The field as the API's errors name it: `messages[0].content`. Empty: the body as a whole. */
  field: string;
  /** The field as names of fields and places in lists. */
  path: Path;
  /** What the API's error says; empty if the field is ignored. */
  message: string;
}
