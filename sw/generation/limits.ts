/** How many answers one prompt may have: they are generated one after the other. */
export const MAX_CHOICES = 8;
