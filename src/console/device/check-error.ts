/** Why a check did not pass. The text is made when it is shown, in the language of that moment. */
export class CheckError extends Error {
  readonly describe: () => string;

  constructor(describe: () => string) {
    super(describe());
    this.name = 'CheckError';
    this.describe = describe;
  }
}

/** Why a check cannot run here. This is not a failure. */
export class Skipped extends CheckError {}
