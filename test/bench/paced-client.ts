/**
 * A program of the gateway bench: sends one prepared request at a fixed pace over kept connections, whatever the answers
 * do, and prints how long each took from when it was due, so that those count that had to wait for a slow one before them.
 * It reads answers with a length by itself, since a client of many features would take longer than what is measured.
 */
import { createConnection, type Socket } from 'node:net';
import { z } from 'zod';

const specSchema = z.object({
  port: z.number(),
  /** The whole request as it goes over the wire. */
  request: z.string(),
  perSecond: z.number().positive(),
  /** Of these the first is not counted. */
  seconds: z.number().min(1),
  connections: z.number().min(1),
});
export type PacedSpec = z.infer<typeof specSchema>;

export const pacedSchema = z.object({
  sent: z.number(),
  /** Answers other than 200, broken connections, and requests without an answer at the end. */
  failures: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
  p999: z.number(),
});
export type Paced = z.infer<typeof pacedSchema>;

/** Seconds in which connections open and code is compiled. */
const WARM_UP_SECONDS = 1;
/** How long the last answers may take, in milliseconds. */
const PATIENCE = 5_000;
/** Milliseconds of sleep between two looks at the clock: timers of Node are ten times as coarse. */
const NAP = 0.05;

interface Connection {
  readonly socket: Socket;
  /** When the request that it carries was due; null: it is free. */
  due: number | null;
  received: Buffer;
}

/** Bytes of the answer at the beginning of `received`, or null when it is not all there. @throws when it has no length */
export function answerLength(received: Buffer): number | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('an answer without content-length');
  const whole = end + 4 + Number(length);
  return received.length >= whole ? whole : null;
}

async function run({ port, request, perSecond, seconds, connections }: PacedSpec): Promise<Paced> {
  const text = Buffer.from(request);
  const total = Math.round(perSecond * seconds);
  const first = Math.round(perSecond * Math.min(WARM_UP_SECONDS, seconds / 2));
  const waits = new Float64Array(total).fill(Number.POSITIVE_INFINITY);
  const waiting: number[] = [];
  let head = 0;
  let failures = 0;
  let done = 0;
  const free: Connection[] = [];
  const started = performance.now();
  const dueOf = (number: number) => started + (number * 1_000) / perSecond;

  function send(connection: Connection, number: number): void {
    connection.due = number;
    connection.socket.write(text);
  }
  function settle(connection: Connection, isGood: boolean): void {
    const number = connection.due;
    if (number === null) return;
    connection.due = null;
    done++;
    waits[number] = performance.now() - dueOf(number);
    if (!isGood) failures++;
  }
  function next(connection: Connection): void {
    const number = head < waiting.length ? waiting[head++] : undefined;
    if (number === undefined) free.push(connection);
    else send(connection, number);
  }
  function open(): void {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    const connection: Connection = { socket, due: null, received: Buffer.alloc(0) };
    socket.on('connect', () => next(connection));
    socket.on('data', (piece) => {
      connection.received =
        connection.received.length === 0 ? piece : Buffer.concat([connection.received, piece]);
      const length = answerLength(connection.received);
      if (length === null) return;
      const isGood = connection.received.toString('latin1', 9, 12) === '200';
      connection.received = connection.received.subarray(length);
      settle(connection, isGood);
      next(connection);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      settle(connection, false);
      const at = free.indexOf(connection);
      if (at >= 0) free.splice(at, 1);
      if (done < total) setTimeout(open, 10);
    });
  }

  for (let number = 0; number < connections; number++) open();
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let issued = 0;
  await new Promise<void>((resolve) => {
    const turn = () => {
      const now = performance.now();
      while (issued < total && dueOf(issued) <= now) {
        const connection = free.pop();
        if (connection === undefined) waiting.push(issued);
        else send(connection, issued);
        issued++;
      }
      if (done >= total || now > dueOf(total) + PATIENCE) return resolve();
      Atomics.wait(cell, 0, 0, NAP);
      setImmediate(turn);
    };
    turn();
  });
  const counted = waits.subarray(first).toSorted();
  const at = (share: number) => counted[Math.max(0, Math.ceil(counted.length * share) - 1)] ?? 0;
  const finite = (value: number) => (Number.isFinite(value) ? value : PATIENCE);
  return {
    sent: total,
    failures: failures + (total - done),
    p50: finite(at(0.5)),
    p99: finite(at(0.99)),
    p999: finite(at(0.999)),
  };
}

const spec = process.argv[2];
if (process.argv[1]?.endsWith('paced-client.js') && spec !== undefined) {
  process.stdout.write(JSON.stringify(await run(specSchema.parse(JSON.parse(spec)))), () => process.exit(0));
}
