import * as v from 'valibot';
import {
  MEMBER_STATUSES,
  type MemberAction,
  type MembersEvent,
} from '../../src/core/operations/jobs/store-jobs.ts';
import { onlyEvent } from '../../src/core/port/engine.ts';
import type { Context } from '../context.ts';
import { ownerOf } from '../files/owner.ts';
import { newId } from '../generation/answer/ids.ts';
import { object, optional } from '../http/fields.ts';
import { jsonResponse } from '../http/json-response.ts';
import { listBody, listQuery } from '../http/list-query.ts';
import { parseValue } from '../http/parse-value.ts';
import { checkAttributes } from './attributes.ts';
import { batchBody, memberBody } from './store-body.ts';
import {
  batchSchema,
  filesOfBatch,
  memberChangeSchema,
  memberSchema,
  newMember,
} from './store-request.ts';

/** How long clients wait before they ask again, milliseconds: without it, openai waits five seconds. */
const POLL_AFTER_MS = 250;

const filterSchema = object({
  filter: optional(v.picklist(MEMBER_STATUSES, `must be one of ${MEMBER_STATUSES.join(', ')}`)),
});

/** `POST v1/vector_stores/{store}/files` */
export async function addFile(context: Context): Promise<Response> {
  ownerOf(context);
  const file = newMember(await context.body.parse(memberSchema));
  return one(await asked(context, { do: 'add', files: [file] }));
}

/** `GET v1/vector_stores/{store}/files` */
export async function listStoreFiles(context: Context): Promise<Response> {
  return listed(context);
}

/** `GET v1/vector_stores/{store}/files/{file}` */
export async function getStoreFile(context: Context): Promise<Response> {
  return one(await asked(context, { do: 'get', file: secondId(context) }));
}

/** `POST v1/vector_stores/{store}/files/{file}` */
export async function changeStoreFile(context: Context): Promise<Response> {
  ownerOf(context);
  const body = await context.body.parse(memberChangeSchema);
  const attributes = checkAttributes(body.attributes, 'attributes');
  return one(await asked(context, { do: 'change', file: secondId(context), attributes }));
}

/** `DELETE v1/vector_stores/{store}/files/{file}`: the file itself stays. */
export async function removeStoreFile(context: Context): Promise<Response> {
  const id = secondId(context);
  await asked(context, { do: 'remove', file: id });
  return jsonResponse({ id, object: 'vector_store.file.deleted', deleted: true });
}

/** `GET v1/vector_stores/{store}/files/{file}/content` */
export async function readStoreFile(context: Context): Promise<Response> {
  const { texts = [] } = await asked(context, { do: 'read', file: secondId(context) });
  return jsonResponse({
    object: 'vector_store.file_content.page',
    data: texts.map((text) => ({ type: 'text', text })),
    has_more: false,
    next_page: null,
  });
}

/** `POST v1/vector_stores/{store}/file_batches` */
export async function createBatch(context: Context): Promise<Response> {
  ownerOf(context);
  const files = filesOfBatch(await context.body.parse(batchSchema));
  return batch(await asked(context, { do: 'add', files, batch: newId('vsfb_') }));
}

/** `GET v1/vector_stores/{store}/file_batches/{batch}` */
export async function getBatch(context: Context): Promise<Response> {
  return batch(await asked(context, { do: 'get-batch', batch: secondId(context) }));
}

/** `POST v1/vector_stores/{store}/file_batches/{batch}/cancel` */
export async function cancelBatch(context: Context): Promise<Response> {
  return batch(await asked(context, { do: 'cancel-batch', batch: secondId(context) }));
}

/** `GET v1/vector_stores/{store}/file_batches/{batch}/files` */
export async function listBatchFiles(context: Context): Promise<Response> {
  return listed(context, { batch: secondId(context) });
}

async function listed(context: Context, within: { batch?: string } = {}): Promise<Response> {
  ownerOf(context);
  const params = new URL(context.request.url).searchParams;
  const { filter: status } = parseValue(Object.fromEntries(params), filterSchema);
  const part = listQuery(params, { most: 100, usual: 20 });
  const { files, hasMore } = await asked(context, {
    do: 'list',
    part,
    ...within,
    ...(status && { status }),
  });
  return jsonResponse(listBody(files.map(memberBody), hasMore));
}

function asked(context: Context, action: MemberAction): Promise<MembersEvent> {
  const { engine, signal, names } = context;
  const [store = ''] = names;
  return onlyEvent(engine, { op: 'members', ...ownerOf(context), store, action }, signal);
}

function one({ files: [file] }: MembersEvent): Response {
  return polled(file && memberBody(file));
}

function batch({ batch: facts }: MembersEvent): Response {
  return polled(facts && batchBody(facts));
}

function polled(body: unknown): Response {
  const response = jsonResponse(body);
  response.headers.set('openai-poll-after-ms', String(POLL_AFTER_MS));
  return response;
}

function secondId({ names: [, id = ''] }: Context): string {
  return id;
}
