import * as v from 'valibot';
import { invalidRequest, unsupportedValue } from '../../../src/core/errors/errors.ts';
import { IMAGE_MARK, type RequestedImage } from '../../../src/core/operations/jobs/jobs.ts';
import { stringifyExact } from '../../../src/core/text/exact-json.ts';
import { anyObject, object, optional, text } from '../../http/fields.ts';
import { isTooDeep, valuesIn } from '../../http/parse-value.ts';
import { hearSound, soundPart, type RequestedSound } from './requested-sound.ts';
import { refuse } from './generation-job.ts';
import { breakpoint, marked, refuseBreakpoint } from './prompt-caching.ts';

/** How closely a request wants an image to be seen. */
export const detail = optional(
  v.picklist(['auto', 'low', 'high', 'original'], 'must be one of auto, low, high, original'),
);

const imageObject = object({ url: text, detail });

/**
 * `text` and `refusal` are checked when the part is read: other types have neither. An image's URL is in
 * an object in the chat API, and alone in the Responses API.
 */
const contentPart = object({
  type: text,
  text: optional(v.unknown()),
  refusal: optional(v.unknown()),
  image_url: optional(
    v.lazy((value): typeof text | typeof imageObject =>
      typeof value === 'string' ? text : imageObject,
    ),
  ),
  detail,
  file_id: optional(v.unknown()),
  data: optional(v.unknown()),
  input_audio: soundPart,
  prompt_cache_breakpoint: breakpoint,
});

type ContentPart = v.InferOutput<typeof contentPart>;

const plain = v.string('must be a string or an array of content parts');
const parts = v.array(contentPart);

/** A message's content. A union would not report the path inside the parts. */
export const content = v.lazy((value): typeof plain | typeof parts =>
  Array.isArray(value) ? parts : plain,
);

export type Content = v.InferOutput<typeof content>;

/** How an endpoint names the types of parts. */
export interface PartTypes {
  /** The types of parts whose text is in the field `text`. */
  text: readonly string[];
  image: string;
  /** The type of parts whose `data` is shown as JSON; undefined: there are none. */
  json?: string;
  /** What the error about a part of this type adds, by the type. */
  hints?: Record<string, string>;
  /** What an error about a part's type adds to the part's path. */
  field: string;
  /** Whether prompts do not begin with these parts, so that no breakpoint may be on them; undefined: they do. */
  isAside?: boolean;
}

/**
 * The text of a message's content, with the marks of its images and breakpoints.
 *
 * @param field - the field of the content
 * @param images - the content's images are added to these; undefined: the content may not have images
 * @param sounds - the content's recordings are added to these; undefined: it may not have recordings
 * @throws ApiError 400 for other parts
 */
export function joinContent(
  value: Content,
  field: string,
  types: PartTypes,
  images?: RequestedImage[],
  sounds?: RequestedSound[],
): string {
  if (typeof value === 'string') return value;
  return value
    .map((part, index) => {
      const at = `${field}[${index}]`;
      const breakpointField = `${at}.prompt_cache_breakpoint`;
      if (types.isAside) refuseBreakpoint(part.prompt_cache_breakpoint, breakpointField);
      const shown = partText(part, at, types, images, sounds);
      return marked(shown, part.prompt_cache_breakpoint, breakpointField);
    })
    .join('');
}

/** The text of a part, or the mark of what it shows. */
function partText(
  part: ContentPart,
  at: string,
  types: PartTypes,
  images?: RequestedImage[],
  sounds?: RequestedSound[],
): string {
  if (images && part.type === types.image) return partImage(part, at, images);
  if (sounds && part.type === 'input_audio') return hearSound(sounds, part.input_audio, at);
  if (part.type === types.json) return jsonText(part.data, at);
  const key = types.text.includes(part.type) ? 'text' : 'refusal';
  if (key === 'refusal' && part.type !== 'refusal') {
    const hint = types.hints?.[part.type] ?? '';
    const message = `A content part of type '${part.type}' is not supported here.${hint}`;
    throw unsupportedValue(message, at + types.field);
  }
  const written = part[key];
  if (typeof written === 'string') return written;
  throw invalidRequest(`'${at}.${key}' must be a string.`, `${at}.${key}`);
}

/** Levels, values and UTF-16 units of a JSON part: what the AI SDK lets through. */
const MOST = { levels: 32, values: 10_000, text: 262_144 };

function jsonText(data: unknown, at: string): string {
  const param = `${at}.data`;
  const all = Array.isArray(data) ? data : [data];
  if (!all.every((each) => v.is(anyObject, each))) {
    throw invalidRequest(`'${param}' must be an object or an array of objects.`, param);
  }
  const json = isTooDeep(data, MOST.levels) ? undefined : stringifyExact(data);
  if (
    json !== undefined &&
    json.length <= MOST.text &&
    valuesIn(data, MOST.values) <= MOST.values
  ) {
    return json;
  }
  const { levels, values } = MOST;
  const message = `'${param}' must have at most ${levels} levels, ${values} values and ${MOST.text} characters.`;
  throw invalidRequest(message, param);
}

function partImage(
  { image_url: given, detail: asked, file_id }: ContentPart,
  at: string,
  images: RequestedImage[],
): string {
  refuse(file_id != null, `${at}.file_id`);
  const param = `${at}.image_url`;
  if (given == null) throw invalidRequest(`'${param}' is required.`, param);
  return typeof given === 'string'
    ? showImage(images, given, param, asked)
    : showImage(images, given.url, param, given.detail);
}

/**
 * Adds the next image of a request.
 *
 * @param images - all images of the request, in the order of their marks
 * @param field - the field of the URL in the request
 * @returns the image's mark in the text of its message
 */
export function showImage(
  images: RequestedImage[],
  url: string,
  field: string,
  asked?: v.InferOutput<typeof detail>,
): string {
  images.push({ url, field, detail: asked === 'original' ? 'high' : (asked ?? 'auto') });
  return IMAGE_MARK;
}
