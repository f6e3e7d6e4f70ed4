/** Why a check cannot be made here: that is no failure. */
export class Skipped extends Error {}
