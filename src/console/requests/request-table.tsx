import type { VNode } from 'preact';
import type { ApiRequest } from '../../index.ts';
import { cellsOf } from './request-text.ts';

interface RequestTableProps {
  requests: readonly ApiRequest[];
  onOpen: (id: string) => void;
}

const COLUMNS = Object.keys(cellsOf({ id: '', at: 0, method: '', endpoint: '' }));

/** One row for each request. On a narrow screen each row is a card, so the roles are stated. */
export function RequestTable({ requests, onOpen }: RequestTableProps): VNode {
  return (
    <table class="requests" role="table" aria-label="Requests">
      <thead role="rowgroup">
        <tr role="row">
          {['Time', ...COLUMNS].map((title) => (
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
  const time = new Date(request.at).toLocaleTimeString('en', { hour12: false });
  return (
    <tr role="row" data-failed={request.error !== undefined} onClick={onOpen}>
      <td role="cell">
        <button
          type="button"
          class="button"
          aria-label={`Details of the request at ${time}`}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
          {time}
        </button>
      </td>
      {Object.entries(cellsOf(request)).map(([title, value]) => (
        <td key={title} role="cell" data-title={title} data-empty={value === ''}>
          {value}
        </td>
      ))}
    </tr>
  );
}
