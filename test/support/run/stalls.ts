/**
 * Stops a process for a moment now and then, as a machine does that is out of processors, without costing any: what rests
 * on luck in a test shows. `main.js --stalls` loads it into the workers, and each process hands it on to those that it
 * starts.
 */
import { ChildProcess } from 'node:child_process';
import { setTimeout as later } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

/** How long a process stops at most, in milliseconds; mostly for much less. */
const LONGEST_MS = 400;
/** After how long it stops again, at most, in milliseconds. */
const AGAIN_WITHIN_MS = 700;

const HERE = import.meta.url;

/** `NODE_OPTIONS` of a process that stalls, and of all that it starts; `others` stay. */
export function stallingOptions(others = process.env.NODE_OPTIONS ?? ''): string {
  return others.includes(HERE) ? others : `${others} --import=${HERE}`.trim();
}

/** Calls `stop` again and again, with the milliseconds to stop; nothing waits for it to end. */
export function stallNowAndThen(stop: (ms: number) => void): void {
  const again = () =>
    void later(() => {
      stop(Math.random() ** 3 * LONGEST_MS);
      again();
    }, Math.random() * AGAIN_WITHIN_MS).unref();
  again();
}

interface Spawned {
  /** `NAME=value` of each, where the caller gave it an environment. */
  envPairs?: string[];
}

/** Hands the options on, as most processes of tests get an environment of their own. */
function stallWhatIsStarted(): void {
  const started = ChildProcess.prototype as unknown as { spawn(options: Spawned): number };
  const { spawn } = started;
  started.spawn = function spawnStalling(options) {
    const pairs = options.envPairs ?? [];
    const given = pairs.find((pair) => pair.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length);
    const envPairs = pairs.filter((pair) => !pair.startsWith('NODE_OPTIONS='));
    return spawn.call(this, {
      ...options,
      envPairs: [...envPairs, `NODE_OPTIONS=${stallingOptions(given ?? '')}`],
    });
  };
}

if (isMainThread && process.env.NODE_OPTIONS?.includes(HERE)) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  stallNowAndThen((ms) => void Atomics.wait(cell, 0, 0, ms));
  stallWhatIsStarted();
}
