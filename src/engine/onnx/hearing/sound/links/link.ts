/** A part of a recording that is a file of its own. */
export interface Link {
  /** What was damaged is left out. A stream of FLAC in Ogg is unwrapped: a FLAC file. */
  file: Blob;
  /** The sound's encoding, if it is not read. */
  unread: string | undefined;
}
