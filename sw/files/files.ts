import { invalidRequest } from '../../src/core/errors/errors.ts';
import type {
  FileAction,
  FileFacts,
  FilesEvent,
  FilesRequest,
} from '../../src/core/operations/jobs/file-jobs.ts';
import { onlyEvent } from '../../src/core/port/engine.ts';
import type { Context } from '../context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { newFile } from './file-form.ts';
import { ownerOf } from './owner.ts';
import { listBody, listQuery } from '../http/list-query.ts';

/** `POST v1/files` */
export async function createFile(context: Context): Promise<Response> {
  const owner = ownerOf(context);
  const form = await context.body.form().catch(() => {
    throw invalidRequest('The request body must be multipart/form-data with a file.');
  });
  const file = newFile(form);
  return one(await asked(context, owner, { do: 'add', file }));
}

/** `GET v1/files` */
export async function listFiles(context: Context): Promise<Response> {
  const owner = ownerOf(context);
  const params = new URL(context.request.url).searchParams;
  const part = listQuery(params, { most: 10_000, usual: 10_000 });
  // A purpose that no file can have finds none, as at OpenAI.
  const purpose = params.get('purpose');
  const { files, hasMore } = await asked(context, owner, {
    do: 'list',
    part,
    ...(purpose !== null && { purpose }),
  });
  return jsonResponse(listBody(files.map(fileBody), hasMore));
}

/** `GET v1/files/{file}` */
export async function getFile(context: Context): Promise<Response> {
  return one(await asked(context, ownerOf(context), { do: 'get', id: idOf(context) }));
}

/** `DELETE v1/files/{file}` */
export async function deleteFile(context: Context): Promise<Response> {
  const id = idOf(context);
  await asked(context, ownerOf(context), { do: 'delete', id });
  return jsonResponse({ id, object: 'file', deleted: true });
}

/** `GET v1/files/{file}/content` */
export async function readFile(context: Context): Promise<Response> {
  const read = { do: 'read', id: idOf(context) } as const;
  const { files, content } = await asked(context, ownerOf(context), read);
  const name = encodeURIComponent(files[0]?.filename ?? '').replaceAll("'", '%27');
  return new Response(content ?? null, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}

function asked(
  { engine, signal }: Context,
  owner: Omit<FilesRequest, 'action'>,
  action: FileAction,
): Promise<FilesEvent> {
  return onlyEvent(engine, { op: 'files', ...owner, action }, signal);
}

function one({ files: [file] }: FilesEvent): Response {
  return jsonResponse(file && fileBody(file));
}

function idOf({ names: [id = ''] }: Context): string {
  return id;
}

function fileBody({ id, bytes, createdAt, filename, purpose, expiresAt }: FileFacts) {
  return {
    id,
    object: 'file',
    bytes,
    created_at: Math.floor(createdAt / 1000),
    filename,
    purpose,
    status: 'processed',
    expires_at: expiresAt === undefined ? null : Math.floor(expiresAt / 1000),
  };
}
