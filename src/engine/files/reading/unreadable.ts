/** Why a file has no text: its type is not read, or its content is not what its type says. */
export type ReadingFault = 'unsupported_file' | 'invalid_file';

/** A file that cannot be read. */
export class Unreadable extends Error {
  readonly code: ReadingFault;

  constructor(code: ReadingFault, message: string) {
    super(message);
    this.code = code;
  }
}
