/** The Trusted Types policy of all scripts of slashv1. A site that names its policies must name this one. */
export const TRUSTED_POLICY = 'slashv1';
