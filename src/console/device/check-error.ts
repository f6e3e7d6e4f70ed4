/** Why a check found no good result. The text is made when it is shown, in the language of that moment. */
export class CheckError extends Error {
  readonly describe: () => string;

  constructor(describe: () => string) {
    super(describe());
    this.name = 'CheckError';
    this.describe = describe;
  }
}

/** Why a check cannot be made here: that is no failure. */
export class Skipped extends CheckError {}
