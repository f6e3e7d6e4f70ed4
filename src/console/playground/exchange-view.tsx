import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { CopyButton } from '../ui/buttons.tsx';
import { formatBytes, formatFixed, formatNumber, formatSeconds } from '../ui/format.ts';
import type { Exchange } from './exchange.ts';
import { parsed } from '../json.ts';
import { rankingOf, similarities, vectorsOf } from './vectors.ts';

/** Status, times and content of a response, while it arrives and afterwards. */
export function ExchangeView({ exchange }: { exchange: Exchange }): VNode {
  const reply = exchange.reply.value;
  const body = exchange.body.value;
  const eventCount = exchange.eventCount.value;
  const endedAt = exchange.endedAt.value;
  const text = messages.value.playground;
  const facts = [
    reply ? `${reply.status} ${reply.contentType}` : text.waiting,
    reply && fill(text.headers, { time: formatSeconds(reply.headersAt / 1000) }),
    eventCount > 0 && fill(text.events, { count: eventCount }),
    endedAt !== null && fill(text.ended, { time: formatSeconds(endedAt / 1000) }),
  ].filter((fact) => typeof fact === 'string');
  return (
    <section class="card exchange" aria-label={text.response} aria-busy={endedAt === null}>
      <p class="stats" role="status">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {exchange.failure.value !== '' && <p class="failure">{exchange.failure}</p>}
      {typeof body === 'string' && <TextBody text={body} />}
      {body instanceof Blob && <FileBody file={body} />}
      {eventCount > 0 && <Events exchange={exchange} />}
    </section>
  );
}

function TextBody({ text }: { text: string }): VNode {
  return (
    <>
      <Picture text={text} />
      <div class="code">
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
        <CopyButton label={messages.value.playground.copyResponse} text={() => text} />
      </div>
    </>
  );
}

/** Shows what numbers mean: the similarities of embeddings, or the order of a ranking. */
function Picture({ text }: { text: string }): VNode | null {
  const response = useMemo(() => parsed(text), [text]);
  const vectors = vectorsOf(response);
  if (vectors) return <Matrix rows={similarities(vectors)} />;
  const words = messages.value.playground;
  const ranking = rankingOf(response);
  if (!ranking) return null;
  return (
    <ol class="ranking" aria-label={words.ranking}>
      {ranking.map(({ index, score }) => (
        <li key={index}>
          {fill(words.document, { index: formatNumber(index), score: formatFixed(score, 3) })}
        </li>
      ))}
    </ol>
  );
}

function Matrix({ rows }: { rows: number[][] }): VNode {
  return (
    <div class="table" tabIndex={0}>
      <table class="matrix" aria-label={messages.value.playground.similarity}>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column} style={`--share: ${Math.round(Math.max(0, value) * 100)}%`}>
                  {formatFixed(value, 2)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FileBody({ file }: { file: Blob }): VNode {
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <>
      <p class="note">{formatBytes(file.size)}</p>
      {file.type.startsWith('audio/') && <audio controls src={url} />}
    </>
  );
}

function Events({ exchange }: { exchange: Exchange }): VNode {
  const text = messages.value.playground;
  const events = exchange.events.value;
  const first = exchange.eventCount.value - events.length;
  return (
    <>
      {first > 0 && <p class="note">{fill(text.latestEvents, { count: events.length })}</p>}
      <div class="code">
        <ol class="events" aria-label={text.eventList} tabIndex={0}>
          {events.map((event, index) => (
            <li key={first + index}>
              <span class="note">{formatSeconds(event.at / 1000)}</span>
              <code>{event.text}</code>
            </li>
          ))}
        </ol>
        <CopyButton label={text.copyResponse} text={() => exchange.eventText()} />
      </div>
    </>
  );
}
