/**
 * Where requests wait while as many as may be are under way at an address: turns go round by caller, and those of a caller
 * in their order, for a bounded time, and only while their client stays. The transport behind it needs no queue.
 */
import type { ServerResponse } from 'node:http';
import { addressSubject } from '../../services/shared/plans/public-limit.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { Transport } from './transport.ts';

/** How often it looks for who waits too long, in milliseconds. */
const LOOK_MS = 250;

/** A request that may have to wait for its turn. */
export interface Waiter {
  /** Its turn came: it goes by the transport of `line`, and calls `leave` there once it is over. */
  begin(line: WaitingLine): void;
  /** It has no turn: it waited for too long, its client left, or the line ends. */
  turnAway(): void;
}

type Asked = Pick<RequestContext, 'principal' | 'address'>;

interface Place extends Link<Place> {
  readonly waiter: Waiter;
  readonly res: ServerResponse;
  /** By `performance.now()`. */
  readonly untilMs: number;
  /** Its client left. */
  readonly onClose: () => void;
  readonly party: Party;
}

/** All that wait of one caller. */
interface Party extends Link<Party> {
  readonly caller: string;
  readonly places: Chain<Place>;
}

/** What stands in a {@link Chain}. */
interface Link<Self> {
  before: Self | null;
  behind: Self | null;
}

/** A list that anything leaves in the same short time, wherever it stands. */
class Chain<Member extends Link<Member>> {
  first: Member | null = null;
  #last: Member | null = null;

  append(member: Member): void {
    member.before = this.#last;
    member.behind = null;
    if (this.#last === null) this.first = member;
    else this.#last.behind = member;
    this.#last = member;
  }

  remove({ before, behind }: Member): void {
    if (before === null) this.first = behind;
    else before.behind = behind;
    if (behind === null) this.#last = before;
    else behind.before = before;
  }
}

/** To one address. Without anybody who waits, it has no timer and listens to nothing. */
export class WaitingLine {
  readonly transport: Transport;
  readonly #most: number;
  #underWay = 0;
  /** In the order of their turns. */
  readonly #parties = new Chain<Party>();
  readonly #byCaller = new Map<string, Party>();
  #looking: NodeJS.Timeout | null = null;
  #isAdvancing = false;
  #isEnded = false;

  /** `most`: how many may be under way at once. */
  constructor(transport: Transport, most: number) {
    this.transport = transport;
    this.#most = most;
  }

  /**
   * Lets the waiter begin: now, or when its turn comes. It waits until `untilMs`, by `performance.now()`, and while
   * `res` is open. `context` says who asks.
   */
  enter(waiter: Waiter, context: Asked, res: ServerResponse, untilMs: number): void {
    // What a transport that has ended is given, it fails.
    if (this.#isEnded || (this.#parties.first === null && this.#underWay < this.#most)) this.#begin(waiter);
    else if (res.destroyed) waiter.turnAway();
    else this.#append(waiter, callerOf(context), res, untilMs);
  }

  /** One that began is over. */
  leave(): void {
    this.#underWay--;
    if (this.#parties.first === null || this.#isAdvancing) return;
    this.#isAdvancing = true;
    // Not from within the transport, which has yet to free what carried the one that leaves.
    queueMicrotask(this.#advance);
  }

  /** Turns away who waits, and fails what is under way. */
  async destroy(): Promise<void> {
    this.#isEnded = true;
    this.#turnAwayUntil(Number.POSITIVE_INFINITY);
    await this.transport.destroy();
  }

  #begin(waiter: Waiter): void {
    this.#underWay++;
    waiter.begin(this);
  }

  readonly #advance = (): void => {
    this.#isAdvancing = false;
    const nowMs = performance.now();
    while (this.#parties.first !== null && this.#underWay < this.#most) {
      const party = this.#parties.first;
      const place = party.places.first as Place;
      this.#remove(place);
      if (party.places.first !== null) {
        this.#parties.remove(party);
        this.#parties.append(party);
      }
      if (place.untilMs > nowMs) this.#begin(place.waiter);
      else place.waiter.turnAway();
    }
  };

  /** Those whose time is over by then; they need not stand in that order, since a request may be sent anew. */
  #turnAwayUntil(nowMs: number): void {
    const late: Place[] = [];
    for (let party = this.#parties.first; party !== null; party = party.behind) {
      for (let place = party.places.first; place !== null; place = place.behind)
        if (place.untilMs <= nowMs) late.push(place);
    }
    for (const place of late) this.#remove(place);
    for (const { waiter } of late) waiter.turnAway();
  }

  #append(waiter: Waiter, caller: string, res: ServerResponse, untilMs: number): void {
    const onClose = (): void => {
      this.#remove(place);
      waiter.turnAway();
    };
    const party = this.#partyOf(caller);
    const place: Place = { waiter, res, untilMs, onClose, party, before: null, behind: null };
    party.places.append(place);
    res.once('close', onClose);
    this.#looking ??= setInterval(() => this.#turnAwayUntil(performance.now()), LOOK_MS).unref();
  }

  #partyOf(caller: string): Party {
    const known = this.#byCaller.get(caller);
    if (known !== undefined) return known;
    const party: Party = { caller, places: new Chain(), before: null, behind: null };
    this.#byCaller.set(caller, party);
    this.#parties.append(party);
    return party;
  }

  #remove(place: Place): void {
    const { res, onClose, party } = place;
    res.off('close', onClose);
    party.places.remove(place);
    if (party.places.first !== null) return;
    this.#parties.remove(party);
    this.#byCaller.delete(party.caller);
    if (this.#parties.first !== null || this.#looking === null) return;
    clearInterval(this.#looking);
    this.#looking = null;
  }
}

/** Whose turn it takes: that of its organization, without one that of its address. */
function callerOf({ principal, address }: Asked): string {
  return principal?.caller.organizationId ?? addressSubject(address);
}
