/** Why a GGUF file cannot be read, in words for the person who chose the file. */
export class GgufError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GgufError';
  }
}
