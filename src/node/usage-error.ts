/** The command was not understood: it ends with exit code 2, as is usual for commands. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}
