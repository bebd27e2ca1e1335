/** A module that is no plugin. */
export const version = '1.2.0';
