/** Gets the bytes of a model's files while they are downloaded, each file from its start. */
export interface Receiver {
  /**
   * Each piece is a whole buffer, which the receiver may take away.
   *
   * @returns memory of an earlier piece that is free again, if there is some, when it can take more
   */
  take(path: string, pieces: Uint8Array<ArrayBuffer>[]): Promise<ArrayBuffer | undefined>;
  /** It will not get all bytes, or they are wrong. */
  giveUp(): void;
}
