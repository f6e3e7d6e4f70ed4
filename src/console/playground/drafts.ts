import { signal } from '@preact/signals';

/** Bodies that were written but not sent yet, by the name of their endpoint. */
export const drafts = signal<ReadonlyMap<string, string>>(new Map());

type Values = Readonly<Record<string, string>>;

/** Values that were entered for the paths and queries of endpoints, by the name of the endpoint. */
export const writtenValues = signal<ReadonlyMap<string, Values>>(new Map());

export function draftBody(endpoint: string, body: string): void {
  drafts.value = new Map(drafts.value).set(endpoint, body);
}

export function draftValues(endpoint: string, values: Values): void {
  writtenValues.value = new Map(writtenValues.value).set(endpoint, values);
}
