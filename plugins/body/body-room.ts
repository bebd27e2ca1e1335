/** How much memory the request bodies of one gateway may take, and how many of them are inflated at once. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { type Turn, TurnLine } from '../../services/shared/turns/turn-line.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';

/** Room and turns for one kind of caller: anonymous callers who use up theirs leave those of known callers untouched. */
export interface BodyShare {
  readonly room: BodyRoom;
  readonly turns: InflateTurns;
}

/** Bytes of large bodies that are being read or wait for their answer, for each kind of caller. */
const ROOM_BYTES = 67_108_864;
/**
 * Parallel inflations for known and for anonymous callers; together one less than the four threads that file access needs
 * too.
 */
const KNOWN_AT_ONCE = 2;
const STRANGERS_AT_ONCE = 1;
/** Encoded bodies that wait for their turn: how many, and their total bytes. */
const MOST_WAITING = 512;
const MOST_WAITING_BYTES = 16_777_216;

const KEY = 'body: shares';

/** The share of a request's body; one pair for a gateway, created at the first call. */
export function createShareOf(runtime: GatewayRuntime): (context: RequestContext) => BodyShare {
  let shares = runtime.policyInstances.get(KEY) as { known: BodyShare; strangers: BodyShare } | undefined;
  if (shares === undefined) {
    shares = {
      known: { room: new BodyRoom(ROOM_BYTES), turns: new InflateTurns(KNOWN_AT_ONCE) },
      strangers: { room: new BodyRoom(ROOM_BYTES), turns: new InflateTurns(STRANGERS_AT_ONCE) },
    };
    runtime.policyInstances.set(KEY, shares);
  }
  const { known, strangers } = shares;
  return ({ principal }) => ((principal?.caller.organizationId ?? null) === null ? strangers : known);
}

/** The 503 for a body without room or turn. */
export function noRoom(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { text: 'Too many large bodies are under way; retry soon.' });
}

/** Counts bytes up to a bound. */
export class BodyRoom {
  readonly #most: number;
  #used = 0;
  /** What the requests of a connection hold: a response behind another one never reports that its client left. */
  readonly #bySocket = new WeakMap<Socket, Set<() => void>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes in use. */
  get used(): number {
    return this.#used;
  }

  /** False: there is no room for this many more. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#most) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }

  /** Takes bytes until the request is answered or its connection is gone. */
  hold(bytes: number, req: IncomingMessage, res: ServerResponse): boolean {
    const { socket } = req;
    if (!this.take(bytes)) return false;
    const held = this.#bySocket.get(socket) ?? this.#watch(socket);
    const release = (): void => {
      if (held.delete(release)) this.give(bytes);
    };
    held.add(release);
    res.once('close', release);
    if (socket.destroyed) release();
    return true;
  }

  #watch(socket: Socket): Set<() => void> {
    const held = new Set<() => void>();
    this.#bySocket.set(socket, held);
    socket.once('close', () => {
      for (const release of held) release();
    });
    return held;
  }
}

interface InflateTurn extends Turn {
  readonly bytes: number;
}

/** Lets a few begin at once, in order of arrival; the others wait, bounded in number and bytes. */
export class InflateTurns {
  readonly #line: TurnLine<InflateTurn>;

  constructor(atOnce: number) {
    this.#line = new TurnLine({ mayStart: () => this.#line.running.size < atOnce });
  }

  /** Calls `begin` when its turn comes, with a function that ends the turn; false: too many wait already. */
  enter(bytes: number, begin: (leave: () => void) => void): boolean {
    const turn: InflateTurn = { bytes, start: () => begin(() => this.#line.end(turn)) };
    if (this.#line.enter(turn)) return true;
    const { waiting } = this.#line;
    const waitingBytes = waiting.reduce((sum, other) => sum + other.bytes, 0);
    if (waiting.length >= MOST_WAITING || waitingBytes + bytes > MOST_WAITING_BYTES) return false;
    this.#line.wait(turn);
    return true;
  }
}
