/** A body of 100 MB, written as fast as it is taken: what a stream between two ends holds shows in how much the sender can give. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Length of the body, in bytes. */
export const LARGE_BODY_BYTES = 100_000_000;
/** What the streams of two connections may hold in memory; far less than the body. */
export const MOST_HELD_BYTES = 40_000_000;
/** What a sender can give away until it is held up: the system, too, keeps some 21 MB for each connection. */
export const MOST_GIVEN_BYTES = 60_000_000;
/** One pause may be the machine's. */
const STILL_PAUSES = 3;
const CHUNK = Buffer.alloc(1_000_000, 'tide');

/** The SHA-256 of the body, in hexadecimal digits. */
export function largeBodyHash(): string {
  const hash = createHash('sha256');
  for (let at = 0; at < LARGE_BODY_BYTES; at += CHUNK.length) hash.update(CHUNK);
  return hash.digest('hex');
}

export interface Sending {
  /** Bytes that the sender could give away. */
  readonly given: number;
  /** Whether the stream said once that it takes no more for now. */
  readonly wasHeld: boolean;
}

/** Writes the body and ends the stream. */
export function sendLargeBody(stream: NodeJS.WritableStream): Sending {
  let given = 0;
  let wasHeld = false;
  const write = (): void => {
    while (given < LARGE_BODY_BYTES) {
      given += CHUNK.length;
      if (!stream.write(CHUNK)) {
        wasHeld = true;
        stream.once('drain', write);
        return;
      }
    }
    stream.end();
  };
  write();
  return {
    get given() {
      return given;
    },
    get wasHeld() {
      return wasHeld;
    },
  };
}

/** Until the stream held back, and nothing more was taken over several pauses in a row; the bytes given away by then. */
export async function stopped(sending: Sending): Promise<number> {
  let before = -1;
  for (let still = 0; still < STILL_PAUSES; ) {
    await sleep(1_000);
    still = sending.wasHeld && before === sending.given ? still + 1 : 0;
    before = sending.given;
  }
  return sending.given;
}
