import { createSHA256 } from 'hash-wasm';

/** Incremental SHA-256; the browser's own needs all bytes at once. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** Hex, of all bytes since the last `restart`. */
  digest(): string;
  restart(): void;
}

export async function createSha256(): Promise<Sha256> {
  const hash = await createSHA256();
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => hash.digest(),
    restart: () => void hash.init(),
  };
}
