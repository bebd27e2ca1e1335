/** Ends the driver's waits for connections that closed under a write: otherwise the command has no outcome, ever. */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** What is used here of the driver's own class of connections, which it does not export. */
interface DriverConnection {
  readonly socket: Socket;
  /** Called once its socket is closed or is to be. The next step of a command then fails with `error`. */
  cleanup(error: Error): void;
}

const CONNECTION = 'mongodb/lib/cmap/connection.js';

let isDone = false;

/**
 * Makes every connection of the driver, also of those that exist, wake up its writer when it closes. Driver 7.8 waits for
 * `drain` after a write to a socket that is full, or destroyed but not yet reported as closed, and a closed socket never
 * drains. The command would occupy its place in the pool for good, and a monitor would never look at its server again.
 * Woken up, the driver finds the connection closed, and fails or repeats the command as it does for all others.
 * @throws Error when the driver is another than this is written for
 */
export function failWritesOfClosedConnections(): void {
  if (isDone) return;
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = ofMongoose(CONNECTION) as { Connection?: { prototype: DriverConnection } };
  const driver = Connection?.prototype;
  if (typeof driver?.cleanup !== 'function') throw new Error(`${CONNECTION} has no connection to clean up`);
  const { cleanup } = driver;
  driver.cleanup = function wakeWriter(error) {
    cleanup.call(this, error);
    // What is written from now on, such as a command that was compressed meanwhile, need not wait either.
    this.socket.write = () => true;
    this.socket.emit('drain');
  };
  isDone = true;
}
