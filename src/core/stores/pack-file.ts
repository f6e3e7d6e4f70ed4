/** A file of a model pack, as its manifest describes it. */
export interface PackFile {
  /** Path inside the pack, "/" separated. */
  path: string;
  size: number;
  /** Hex SHA-256 of the file, or undefined if the source does not know it. */
  sha256?: string | undefined;
}
