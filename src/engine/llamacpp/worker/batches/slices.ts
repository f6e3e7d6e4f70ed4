/** How a prompt is read. */
export interface Slices {
  /** Computes a slice, between the batches of answers. */
  compute<T>(slice: () => T | Promise<T>): Promise<T>;
  /** Lets another prompt have its turn, if one waits and this one has had its share. */
  makeWay(): Promise<void>;
}
