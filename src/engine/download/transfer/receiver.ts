/** Gets the bytes of a model's files while they are downloaded, each file from its start. */
export interface Receiver {
  /**
   * Each piece is a whole buffer, which the receiver may take away.
   *
   * @returns when it can take more; memory of an earlier piece, if some is free again
   */
  take(path: string, pieces: Uint8Array<ArrayBuffer>[]): Promise<ArrayBuffer | undefined>;
  /** Tells the receiver that it will not get all bytes, or that they are wrong. */
  giveUp(): void;
}
