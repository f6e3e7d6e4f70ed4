/** Size of the pieces of a file that have hashes of their own, bytes; the last one may be shorter. */
export const HASHED_PIECE = 4 * 1024 * 1024;

/** A file of a model pack, as its manifest describes it. */
export interface PackFile {
  /** Path inside the pack, "/" separated. */
  path: string;
  size: number;
  /** Hex SHA-256 of the file, or undefined if the source does not know it. */
  sha256?: string | undefined;
  /** Hex SHA-256 of each piece of a large file, in order. */
  pieces?: string[] | undefined;
}
