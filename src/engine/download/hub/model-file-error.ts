/**
 * A file of a model is wrong: it cannot be parsed, or it asks for something that this engine lacks.
 * The model is at fault; the engine and its other models are unaffected.
 */
export class ModelFileError extends Error {
  /** What is wrong, as the end of a sentence about the model: `its config.json is not valid JSON`. */
  readonly fault: string;

  /**
   * @param what - the file or the part of it, e.g. `mlc-chat-config.json` or `chat template`
   * @param why - what is wrong with it, e.g. `is not valid JSON`
   */
  constructor(what: string, why: string, options?: ErrorOptions) {
    super(`The model's ${what} ${why}.`, options);
    this.name = 'ModelFileError';
    this.fault = `its ${what} ${why}`;
  }
}
