import type { Endpoint } from './endpoint.ts';

const STORE = '/vector_stores/{store}';
const FILE = `${STORE}/files/{file}`;
const BATCH = `${STORE}/file_batches/{batch}`;
const LIST = ['limit', 'order', 'after', 'before'];

/** The endpoints of vector stores. */
export const STORE_ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/vector_stores', body: () => ({ name: 'docs' }) },
  { method: 'GET', path: '/vector_stores', query: LIST },
  { method: 'GET', path: STORE },
  { method: 'POST', path: STORE, body: () => ({ name: 'manuals' }) },
  { method: 'DELETE', path: STORE, removes: 'file' },
  {
    method: 'POST',
    path: `${STORE}/search`,
    body: () => ({ query: 'animals', max_num_results: 5 }),
  },
  { method: 'POST', path: `${STORE}/files`, body: () => ({ file_id: 'file-1' }) },
  { method: 'GET', path: `${STORE}/files`, query: ['filter', ...LIST] },
  { method: 'GET', path: FILE },
  { method: 'POST', path: FILE, body: () => ({ attributes: { lang: 'en' } }) },
  { method: 'DELETE', path: FILE, removes: 'file' },
  { method: 'GET', path: `${FILE}/content` },
  { method: 'POST', path: `${STORE}/file_batches`, body: () => ({ file_ids: ['file-1'] }) },
  { method: 'GET', path: BATCH },
  { method: 'POST', path: `${BATCH}/cancel`, body: () => ({}) },
  { method: 'GET', path: `${BATCH}/files`, query: ['filter', ...LIST] },
];
