import type { VNode } from 'preact';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';

/** Values that are nested deeper are text, and so are the entries after this many. */
const MOST_DEPTH = 12;
const MOST_ENTRIES = 500;

/** A value of JSON: its objects and lists can be folded. */
export function JsonTree({ value }: { value: object }): VNode {
  return (
    <div class="json-tree" dir="auto">
      <Entries value={value} depth={0} />
    </div>
  );
}

function Entries({ value, depth }: { value: object; depth: number }): VNode {
  const all = Object.entries(value);
  const rest = all.slice(MOST_ENTRIES);
  return (
    <ul>
      {all.slice(0, MOST_ENTRIES).map(([name, entry]: [string, unknown]) => (
        <li key={name}>
          <Entry name={name} value={entry} depth={depth} />
        </li>
      ))}
      {rest.length > 0 && <li>{JSON.stringify(Object.fromEntries(rest))}</li>}
    </ul>
  );
}

function Entry({ name, value, depth }: { name: string; value: unknown; depth: number }): VNode {
  if (typeof value !== 'object' || value === null || depth >= MOST_DEPTH) {
    return (
      <p>
        <strong>{name}</strong> <Value value={value} />
      </p>
    );
  }
  const count = Object.keys(value).length;
  const title = (
    <>
      <strong>{name}</strong>{' '}
      <span class="note">{fill(messages.value.chat.tree.entries, { count })}</span>
    </>
  );
  if (count === 0) return <p>{title}</p>;
  return (
    <details open>
      <summary>{title}</summary>
      <Entries value={value} depth={depth + 1} />
    </details>
  );
}

function Value({ value }: { value: unknown }): VNode {
  return typeof value === 'string' ? <span>{value}</span> : <code>{JSON.stringify(value)}</code>;
}
