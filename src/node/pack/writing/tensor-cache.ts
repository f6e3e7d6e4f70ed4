import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { dtypeOf, type Parameter } from '../formats/parameters.ts';

/** Bytes. Cloudflare Pages, the strictest of the usual static hosts, refuses files above 25 MiB. */
export const SHARD_LIMIT = 24 * 1024 * 1024;

interface TensorRecord {
  name: string;
  shape: number[];
  dtype: 'uint32' | 'float32';
  format: 'raw';
  nbytes: number;
  byteOffset: number;
}

interface ShardRecord {
  dataPath: string;
  format: 'raw-shard';
  nbytes: number;
  records: TensorRecord[];
  md5sum: string;
}

/**
 * Writes `tensor-cache.json` and its shards as `tvm.contrib.tvmjs.dump_tensor_cache` does. A tensor
 * is never split: a tensor above the limit gets its own shard.
 *
 * @returns the bytes of all tensors
 */
export function writeTensorCache(
  folder: string,
  parameters: Iterable<Parameter>,
  limit = SHARD_LIMIT,
): number {
  const shards: ShardRecord[] = [];
  let pending: Parameter[] = [];
  const flush = () => {
    if (pending.length) shards.push(writeShard(folder, shards.length, pending));
    pending = [];
  };
  for (const parameter of parameters) {
    if (totalBytes(pending) + parameter.data.byteLength > limit) flush();
    pending.push(parameter);
  }
  flush();
  return writeIndex(folder, shards);
}

function writeShard(folder: string, index: number, parameters: Parameter[]): ShardRecord {
  const bytes = new Uint8Array(totalBytes(parameters));
  const records: TensorRecord[] = [];
  let at = 0;
  for (const { name, shape, data } of parameters) {
    const nbytes = data.byteLength;
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, nbytes), at);
    records.push({ name, shape, dtype: dtypeOf(data), format: 'raw', nbytes, byteOffset: at });
    at += nbytes;
  }
  const dataPath = `params_shard_${index}.bin`;
  writeFileSync(join(folder, dataPath), bytes);
  const md5sum = createHash('md5').update(bytes).digest('hex');
  return { dataPath, format: 'raw-shard', nbytes: at, records, md5sum };
}

function writeIndex(folder: string, shards: ShardRecord[]): number {
  const bytes = shards.reduce((sum, shard) => sum + shard.nbytes, 0);
  const count = shards.reduce((sum, shard) => sum + shard.records.length, 0);
  const metadata = { ParamSize: count, ParamBytes: bytes, BitsPerParam: 0 };
  writeFileSync(join(folder, 'tensor-cache.json'), JSON.stringify({ metadata, records: shards }));
  return bytes;
}

function totalBytes(parameters: Parameter[]): number {
  return parameters.reduce((sum, { data }) => sum + data.byteLength, 0);
}
