/** Finds monitors of the driver that wait for ever, and connects anew: without its monitor a server stays lost for good. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'mongoose';

/** How often monitors are looked at, in milliseconds. */
const LOOK_MS = 1_000;

export interface MonitorWatchOptions {
  /** Looks after which a heartbeat without an outcome is lost; above what the driver itself gives one. */
  readonly lostAfterLooks: number;
}

/**
 * Watches the monitors of an open connection until it is closed. When a heartbeat has no outcome, the client is closed
 * and connected again, as often as it takes; stores and models keep using it. What is asked meanwhile fails at once as
 * an outage. Healthy servers and such as are plainly away give each heartbeat an outcome in time.
 *
 * Driver 7.8 needs it: it waits for `drain` on a socket that was destroyed while it looked, and nothing ends that wait.
 * Time is counted in looks, so that a process that was busy or asleep takes no answer for a lost one.
 */
export function watchMonitors(connection: Connection, { lostAfterLooks }: MonitorWatchOptions): void {
  const client = connection.getClient();
  /** Looks since the heartbeat of each address began. */
  const looksOf = new Map<string, number>();
  let isRenewing = false;
  let isWanted = true;

  client.on('serverHeartbeatStarted', ({ connectionId }) => looksOf.set(connectionId, 0));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => looksOf.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => looksOf.delete(connectionId));
  client.on('serverClosed', ({ address }) => looksOf.delete(address));

  function isOneLost(): boolean {
    for (const [address, looks] of looksOf) looksOf.set(address, looks + 1);
    return [...looksOf.values()].some((looks) => looks > lostAfterLooks);
  }

  async function connectAnew(): Promise<void> {
    looksOf.clear();
    await client.close();
    while (isWanted && !(await connects(client))) await pause(LOOK_MS);
    // Its owner closed it in the meantime.
    if (!isWanted) await client.close();
  }

  async function look(): Promise<void> {
    if (isRenewing || !isOneLost()) return;
    isRenewing = true;
    try {
      await connectAnew();
    } finally {
      isRenewing = false;
    }
  }

  // A client that cannot be closed now is looked at again.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
  connection.once('close', () => {
    isWanted = false;
    clearInterval(timer);
  });
}

function connects(client: ReturnType<Connection['getClient']>): Promise<boolean> {
  return client.connect().then(
    () => true,
    () => false,
  );
}
