/** A picture that is shown to the model beside a question. */
export interface ImageAttachment {
  kind: 'image';
  id: string;
  name: string;
  /** `data:` URL. */
  url: string;
}

/** A file whose text stands before a question. */
export interface FileAttachment {
  kind: 'file';
  id: string;
  name: string;
  text: string;
}

/** Files that are stored in this browser, because a model cannot read them whole. Each question searches them. */
export interface StoredAttachment {
  kind: 'stored';
  id: string;
  name: string;
  /** Id of the vector store that has the files. */
  store: string;
  /** How many files it has. */
  count: number;
}

/** What a user attaches to a question. */
export type Attachment = ImageAttachment | FileAttachment | StoredAttachment;

/** A part of a message with pictures, in the API's form. */
export type ContentPart =
  { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/**
 * A question as the model gets it: the pictures, then the files, then its text.
 *
 * @param sees - whether the model is shown pictures
 */
export function contentOf(
  text: string,
  attachments: readonly Attachment[],
  sees: boolean,
): string | ContentPart[] {
  const files = attachments.filter((attached) => attached.kind === 'file').map(fileText);
  const whole = [...files, ...(text === '' ? [] : [text])].join('\n\n');
  const images = sees ? attachments.filter((attached) => attached.kind === 'image') : [];
  if (images.length === 0) return whole;
  const shown = images.map(({ url }): ContentPart => ({ type: 'image_url', image_url: { url } }));
  return whole === '' ? shown : [...shown, { type: 'text', text: whole }];
}

/** A file as the model reads it. */
export function fileText({ name, text }: FileAttachment): string {
  return `<file name="${name.replaceAll('"', "'")}">\n${text}\n</file>`;
}

/** The API searches so many stores at once. */
const MOST_STORES = 8;

interface Attaching {
  attachments?: readonly Attachment[];
}

/** The stored files that questions have. */
export function storedOf(turns: readonly Attaching[]): StoredAttachment[] {
  const attached = turns.flatMap(({ attachments = [] }) => attachments);
  return attached.filter((each) => each.kind === 'stored');
}

/** Ids of the stores that questions have, the latest ones. */
export function storesOf(turns: readonly Attaching[]): string[] {
  return [...new Set(storedOf(turns).map(({ store }) => store))].slice(-MOST_STORES);
}
