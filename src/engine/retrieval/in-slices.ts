import type { Context } from '../road/stage.ts';
import type { EventOf } from '../../core/operations/events/events.ts';
import { whenThereIsPlace } from '../workers/when-there-is-place.ts';
import { TextSlices, type TextSlice } from './text-slices.ts';

type Next = () => Promise<void>;
type Sliced<Op extends 'embed' | 'rerank'> = Context<Op> & {
  begun?: number;
  isSign?: (event: EventOf<Op>) => boolean;
  firstMs?: number;
};

/**
 * How long a slice's texts may take to be divided into tokens, milliseconds. A pattern of a tokenizer may search a long
 * text for hours, and the requests that wait for the model would wait for the watchdog, too.
 */
const ENCODING_MS = 30_000;
const isEncoded = ({ type }: EventOf<'embed' | 'rerank'>) => type === 'encoded';

/** Divides a job with many texts into slices with a turn each, so that other requests do not wait long. */
export async function embedInSlices(context: Sliced<'embed'>, next: Next): Promise<void> {
  const { job, emit } = context;
  context.isSign = isEncoded;
  context.firstMs = ENCODING_MS;
  context.emit = (event) => {
    if (event.type === 'vectors') emit(event);
  };
  await inSlices(new TextSlices(job.texts, job.places), context, next, ({ texts, places }) => {
    context.job = { ...job, texts, places };
  });
  emit({ type: 'embedded' });
}

/** Like `embedInSlices`, for the documents of a rerank job. */
export async function rerankInSlices(context: Sliced<'rerank'>, next: Next): Promise<void> {
  const { job, emit } = context;
  context.isSign = isEncoded;
  context.firstMs = ENCODING_MS;
  context.emit = (event) => {
    if (event.type === 'scores') emit(event);
  };
  await inSlices(new TextSlices(job.documents, job.places), context, next, ({ texts, places }) => {
    context.job = { ...job, documents: texts, places };
  });
  emit({ type: 'ranked' });
}

async function inSlices(
  slices: TextSlices,
  context: { readonly signal: AbortSignal; begun?: number },
  next: Next,
  take: (slice: TextSlice) => void,
): Promise<void> {
  let isFirst = true;
  for (let slice = slices.next(); slice; slice = slices.next()) {
    take(slice);
    // The first slice has a place in the queue or fails; the others wait for one.
    await (isFirst ? next() : whenThereIsPlace(next, context.signal));
    // Without the time that the slice waited for its turn, or for the model.
    slices.took(performance.now() - (context.begun ?? 0));
    isFirst = false;
  }
}
