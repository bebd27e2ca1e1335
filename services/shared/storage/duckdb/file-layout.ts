/** How the event file is attached to the engine: under which name, and with how many rows per group. */

/**
 * Rows that the engine stores, and skips, together. A quarter of its default: a rewritten slice of events is at least as
 * large, so it goes straight into the file, not through the log, and appends hardly wait for it.
 */
export const ROW_GROUP_ROWS = 30_720;

/** The name of the file within the engine. */
export const DATABASE = 'store';

/** Makes the tables of the file visible to a connection by their plain names. */
export const USE_DATABASE = `USE ${DATABASE}`;
