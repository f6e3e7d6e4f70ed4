export type ProgressStage =
  | 'download'
  /** A download has stopped before its end. */
  | 'paused'
  /** A download is complete. */
  | 'installed'
  | 'load'
  /** In memory. */
  | 'ready'
  | 'unloaded'
  | 'failed';

/** How far a model is. Bytes are those of the stage; the total is 0 while it is unknown. */
export interface Progress {
  model: string;
  stage: ProgressStage;
  loadedBytes: number;
  totalBytes: number;
  /** Speed of a download over its last seconds; undefined while it cannot be measured. */
  bytesPerSecond?: number;
  /** Time until the download is complete, at that speed. */
  secondsLeft?: number;
  /** For people: what happens now, or what failed. */
  text: string;
}

export interface ProgressEvent {
  type: 'progress';
  progress: Progress;
}
