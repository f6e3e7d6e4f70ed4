import {
  expiryOf,
  type BatchFacts,
  type MemberFacts,
  type StatusCounts,
  type StoreFacts,
} from '../../src/core/operations/jobs/store-jobs.ts';
import { USUAL_CHUNKS } from '../../src/core/retrieval/divide-text.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);

export function storeBody(store: StoreFacts) {
  const { id, name, description, metadata, bytes, counts, expiresAfter, embedder } = store;
  const expiresAt = expiryOf(store);
  const isExpired = expiresAt !== undefined && expiresAt <= Date.now();
  const status = counts.in_progress > 0 ? 'in_progress' : 'completed';
  return {
    id,
    object: 'vector_store',
    created_at: seconds(store.createdAt),
    name,
    description,
    metadata,
    usage_bytes: bytes,
    file_counts: countsBody(counts),
    status: isExpired ? 'expired' : status,
    expires_after:
      expiresAfter === undefined ? null : { anchor: 'last_active_at', days: expiresAfter },
    expires_at: expiresAt === undefined ? null : seconds(expiresAt),
    last_active_at: seconds(store.lastActiveAt),
    embedding_model: embedder,
  };
}

export function memberBody(member: MemberFacts) {
  const { file, store, status, error, attributes, bytes } = member;
  const { maxTokens, overlapTokens } = member.made ?? member.chunks ?? USUAL_CHUNKS;
  return {
    id: file,
    object: 'vector_store.file',
    created_at: seconds(member.createdAt),
    vector_store_id: store,
    usage_bytes: bytes,
    status,
    last_error: error ?? null,
    attributes,
    chunking_strategy: {
      type: 'static',
      static: { max_chunk_size_tokens: maxTokens, chunk_overlap_tokens: overlapTokens },
    },
  };
}

export function batchBody({ id, store, createdAt, counts }: BatchFacts) {
  return {
    id,
    object: 'vector_store.files_batch',
    created_at: seconds(createdAt),
    vector_store_id: store,
    status: batchStatus(counts),
    file_counts: countsBody(counts),
  };
}

function batchStatus({ in_progress, completed, failed, cancelled }: StatusCounts) {
  if (in_progress > 0) return 'in_progress';
  if (cancelled > 0) return 'cancelled';
  return failed > 0 && completed === 0 ? 'failed' : 'completed';
}

function countsBody(counts: StatusCounts) {
  const { in_progress, completed, failed, cancelled } = counts;
  return { ...counts, total: in_progress + completed + failed + cancelled };
}
