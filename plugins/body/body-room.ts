/** How much memory the bodies of requests may take in one gateway, and how many of them are inflated at once. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { RequestContext } from '../../services/shared/plugin/request-context.ts';
import type { GatewayRuntime } from '../../services/shared/plugin/runtime.ts';

/** Room and turns of one kind of caller: strangers who take all of theirs leave those of the known untouched. */
export interface BodyShare {
  readonly room: BodyRoom;
  readonly turns: InflateTurns;
}

/** Bytes of bodies above the small ones that are read or wait for their answer, of each kind of caller. */
const ROOM_BYTES = 67_108_864;
/** Inflations at once of known callers and of strangers; together one less than the four threads that files need too. */
const KNOWN_AT_ONCE = 2;
const STRANGERS_AT_ONCE = 1;
/** Encoded bodies that wait for their turn: how many, and bytes of all. */
const MOST_WAITING = 512;
const MOST_WAITING_BYTES = 16_777_216;

const KEY = 'body: shares';

/** The share that a request's body falls in; one pair for a gateway, made at the first call. */
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

/** The 503 of a body for which there is no room or no turn. */
export function noRoom(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { text: 'Too many large bodies are under way; retry soon.' });
}

/** Counts bytes up to a bound. */
export class BodyRoom {
  readonly #most: number;
  #used = 0;
  /** What the requests of a connection hold: a response that waits behind another one never tells that its client left. */
  readonly #bySocket = new WeakMap<Socket, Set<() => void>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes taken at the moment. */
  get used(): number {
    return this.#used;
  }

  /** False: there is no room for so many more. */
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

/** Lets so many begin at once, in the order they came; the others wait, bounded in number and bytes. */
export class InflateTurns {
  #free: number;
  #waitingBytes = 0;
  readonly #waiting: { readonly bytes: number; begin(): void }[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Calls `begin` when it is its turn, which ends with {@link leave}; false: too many wait already. */
  enter(bytes: number, begin: () => void): boolean {
    if (this.#free > 0) {
      this.#free--;
      begin();
      return true;
    }
    if (this.#waiting.length >= MOST_WAITING || this.#waitingBytes + bytes > MOST_WAITING_BYTES) return false;
    this.#waiting.push({ bytes, begin });
    this.#waitingBytes += bytes;
    return true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else {
      this.#waitingBytes -= next.bytes;
      next.begin();
    }
  }
}
