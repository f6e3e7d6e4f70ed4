/** A picture that is shown to the model beside a question. */
export interface ImageAttachment {
  kind: 'image';
  id: string;
  name: string;
  /** `data:` URL. */
  url: string;
}

/** What a user gives with a question beside its text. */
export type Attachment = ImageAttachment;

/** A part of a message that has more than text, as the API wants it. */
export type ContentPart =
  { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/**
 * A question as the model gets it: the pictures, then the text.
 *
 * @param sees - whether the model is shown pictures
 */
export function contentOf(
  text: string,
  attachments: readonly Attachment[],
  sees: boolean,
): string | ContentPart[] {
  const images = sees ? attachments.filter(({ kind }) => kind === 'image') : [];
  if (images.length === 0) return text;
  const shown = images.map(({ url }): ContentPart => ({ type: 'image_url', image_url: { url } }));
  return text === '' ? shown : [...shown, { type: 'text', text }];
}
