/**
 * Imported first by every program: without a listener, SIGUSR1 makes Node open its inspector, a port that runs any code
 * without authentication.
 */

// Listening is enough. An inspector that the operator asked for (--inspect) is already open, and stays open.
process.on('SIGUSR1', () => undefined);
