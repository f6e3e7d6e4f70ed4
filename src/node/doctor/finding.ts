/** What the doctor says of a site. */
export interface Finding {
  /** `problem`: something does not work, or will not after an update. `note`: worth knowing. */
  level: 'problem' | 'note';
  text: string;
}

export function problem(text: string): Finding {
  return { level: 'problem', text };
}

export function note(text: string): Finding {
  return { level: 'note', text };
}
