import type { VNode } from 'preact';
import type { ApiRequest } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatTime } from '../ui/format.ts';
import { cellsOf, COLUMNS } from './request-text.ts';

interface RequestTableProps {
  requests: readonly ApiRequest[];
  onOpen: (id: string) => void;
}

/** One row for each request. On a narrow screen each row is a card, so the roles are stated. */
export function RequestTable({ requests, onOpen }: RequestTableProps): VNode {
  const { columns } = messages.value.requests;
  const titles = [columns.time, ...COLUMNS.map((column) => columns[column])];
  return (
    <table class="requests" role="table" aria-label={messages.value.app.pages.requests}>
      <thead role="rowgroup">
        <tr role="row">
          {titles.map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {requests.map((request) => (
          <Row key={request.id} request={request} onOpen={() => onOpen(request.id)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ request, onOpen }: { request: ApiRequest; onOpen: () => void }): VNode {
  const text = messages.value.requests;
  const time = formatTime(request.at);
  const cells = cellsOf(request);
  return (
    <tr role="row" data-failed={request.error !== undefined} onClick={onOpen}>
      <td role="cell">
        <button
          type="button"
          class="button"
          aria-label={fill(text.details, { time })}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
          {time}
        </button>
      </td>
      {COLUMNS.map((column) => (
        <td
          key={column}
          role="cell"
          data-title={text.columns[column]}
          data-empty={cells[column] === ''}
        >
          {cells[column]}
        </td>
      ))}
    </tr>
  );
}
