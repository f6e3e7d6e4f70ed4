/** The command line is wrong. The program then ends with exit code 2, as is usual. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}
