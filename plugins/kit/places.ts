/** How many requests of each caller are under way; each leaves once, however it ends. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { addressSubject } from '../../services/shared/plans/public-limit.ts';
import { limitExceeded } from './limit-exceeded.ts';
import type { RequestContext } from './request-context.ts';
import { showState } from './shown-limit.ts';

/** Whose places count together. */
export const PLACE_SUBJECTS = ['organization', 'key', 'address'] as const;
export type PlaceSubject = (typeof PLACE_SUBJECTS)[number];

/** Who takes the place; without a credential the address. */
export function placeHolder({ principal, address }: RequestContext, per: PlaceSubject): string {
  const caller = principal?.caller;
  if (per === 'address' || caller === undefined || caller.kind === 'public') return addressSubject(address);
  if (per === 'organization' && caller.organizationId !== null)
    return `organization:${caller.organizationId}`;
  return `${caller.kind}:${caller.id}`;
}

/** After this time another attempt may succeed, in milliseconds: nobody knows when a place comes back. */
const RETRY_MS = 1_000;

/** The 429 where all `most` places of the limit `name` are taken; its headers show them. */
export function noPlace(
  context: RequestContext,
  most: number,
  nowMs: number,
  name: string,
  text: string,
): ApiError {
  const state = { limit: most, remaining: 0, resetAtMs: nowMs + RETRY_MS, violated: true };
  context.shownLimit = showState(state);
  return limitExceeded(state, nowMs, () => text, { name, cost: 1, window: 'at once' });
}

/** A connection with requests under way: it has one listener, however many they are. */
interface Connection {
  /** How each of them leaves. */
  readonly leaving: Set<() => void>;
  readonly onClose: () => void;
}

/** A caller without a request under way takes no memory. */
export class Places {
  readonly #underWay = new Map<string, number>();
  readonly #connections = new WeakMap<Socket, Connection>();

  /** How many callers have requests under way. */
  get callers(): number {
    return this.#underWay.size;
  }

  underWay(caller: string): number {
    return this.#underWay.get(caller) ?? 0;
  }

  /**
   * Takes a place until the answer has ended, or its connection. False, and nothing is taken, where `most` are taken, and
   * where either has ended already: nothing would ever tell.
   */
  take(caller: string, most: number, res: ServerResponse, socket: Socket): boolean {
    const taken = this.underWay(caller);
    if (taken >= most || res.closed || socket.destroyed) return false;
    this.#underWay.set(caller, taken + 1);
    const connection = this.#connections.get(socket) ?? this.#watch(socket);
    const leave = (): void => {
      res.off('close', leave);
      connection.leaving.delete(leave);
      if (connection.leaving.size === 0) this.#unwatch(socket, connection);
      this.#leave(caller);
    };
    res.once('close', leave);
    connection.leaving.add(leave);
    return true;
  }

  /** An answer that waits behind another one on its connection is never closed when that breaks. */
  #watch(socket: Socket): Connection {
    const leaving = new Set<() => void>();
    const onClose = (): void => {
      for (const leave of leaving) leave();
    };
    const connection = { leaving, onClose };
    this.#connections.set(socket, connection);
    socket.once('close', onClose);
    return connection;
  }

  #unwatch(socket: Socket, { onClose }: Connection): void {
    socket.off('close', onClose);
    this.#connections.delete(socket);
  }

  #leave(caller: string): void {
    const taken = this.underWay(caller);
    if (taken <= 1) this.#underWay.delete(caller);
    else this.#underWay.set(caller, taken - 1);
  }
}
