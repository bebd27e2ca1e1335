/** Connections that stay open after their request was judged, and end when their caller loses what it had then. */
import type { GatewayCaller } from '../../services/shared/access/caller.ts';
import type { Invalidation } from '../../services/shared/ports/bus.ts';
import {
  type GatewayRequest,
  type GatewayResponse,
  type PolicyHandler,
  RequestContext,
} from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';

/** `revoked`: the caller lost a right that it had; `unjudged`: nobody could tell for too long. */
export type LossReason = 'revoked' | 'unjudged';

/**
 * A verdict from before a change is at most 2 s old when it is accepted ({@link RequestContext.isStanding}). So without a
 * message, a change is noticed within 2 + 1 + 0.25 s, and where nobody can tell, the connection ends 1.25 s later.
 */
const JUDGED_EVERY_MS = 1_000;
const SWEEP_MS = 250;
/** Sweeps, not time: after a halt of this process an answer that waits to be read comes first. */
const PATIENCE_SWEEPS = 5;

interface Standing {
  readonly req: GatewayRequest;
  readonly res: GatewayResponse;
  readonly judge: PolicyHandler;
  /** As the backend was told. */
  readonly caller: GatewayCaller;
  readonly end: (reason: LossReason) => void;
  dueAtMs: number;
  /** Sweeps since it was due. */
  overdue: number;
  isAsking: boolean;
  /** Something changed while the question was under way, whose answer may be the old one. */
  isOutdated: boolean;
  hasLeft: boolean;
}

/** By caller. While there is none, it listens to nothing and has no timer. */
export class StandingConnections {
  readonly #runtime: Pick<GatewayRuntime, 'bus' | 'clock'>;
  readonly #ofCaller = new Map<string, Set<Standing>>();
  #stop: (() => void) | null = null;

  constructor(runtime: Pick<GatewayRuntime, 'bus' | 'clock'>) {
    this.#runtime = runtime;
  }

  /** How many callers have some. */
  get callers(): number {
    return this.#ofCaller.size;
  }

  /**
   * Judges the credential of `req` again and again until the returned function is called. `end` is called once, when the
   * caller is no longer what it was. A request without a credential has nothing to lose.
   */
  add(req: GatewayRequest, res: GatewayResponse, end: (reason: LossReason) => void): () => void {
    const { judge, principal } = req.context;
    if (judge === null || principal === null || principal.caller.kind === 'public') return () => {};
    const { caller } = principal;
    const standing: Standing = {
      req,
      res,
      judge,
      caller,
      end,
      dueAtMs: 0,
      overdue: 0,
      isAsking: false,
      isOutdated: false,
      hasLeft: false,
    };
    const known = this.#ofCaller.get(caller.id) ?? new Set();
    this.#ofCaller.set(caller.id, known.add(standing));
    this.#stop ??= this.#start();
    // Its backend may have taken long to answer, and something may have changed meanwhile.
    this.#judgeSoon([standing]);
    return () => this.#remove(standing);
  }

  #remove(standing: Standing): void {
    if (standing.hasLeft) return;
    standing.hasLeft = true;
    const { id } = standing.caller;
    const rest = this.#ofCaller.get(id);
    rest?.delete(standing);
    if (rest?.size === 0) this.#ofCaller.delete(id);
    if (this.#ofCaller.size > 0) return;
    this.#stop?.();
    this.#stop = null;
  }

  #start(): () => void {
    const leave = this.#runtime.bus.subscribe((changed) => {
      // One caller may act for several organizations.
      for (const standings of this.#ofCaller.values())
        this.#judgeSoon([...standings].filter(({ caller }) => concerns(changed, caller)));
    });
    const timer = setInterval(() => this.#sweep(), SWEEP_MS);
    timer.unref();
    return () => {
      leave();
      clearInterval(timer);
    };
  }

  /** Once every cache has heard of the change. */
  #judgeSoon(standings: readonly Standing[]): void {
    if (standings.length === 0) return;
    setImmediate(() => {
      for (const each of standings) this.#judge(each);
    });
  }

  #sweep(): void {
    const now = this.#runtime.clock.now();
    for (const standings of this.#ofCaller.values()) {
      for (const standing of standings) {
        if (standing.dueAtMs > now) continue;
        if (++standing.overdue > PATIENCE_SWEEPS) this.#lose(standing, 'unjudged');
        else if (!standing.isAsking) this.#judge(standing);
      }
    }
  }

  #judge(standing: Standing): void {
    if (standing.hasLeft) return;
    if (standing.isAsking) {
      standing.isOutdated = true;
      return;
    }
    const { req, res, caller } = standing;
    const context = new RequestContext(req.context.gateway, req.context.requestId, req.context.endpoint, req);
    context.isStanding = true;
    const asked: GatewayRequest = Object.create(req, { context: { value: context } });
    standing.isAsking = true;
    standing.isOutdated = false;
    const answered = (fault?: unknown): void => {
      standing.isAsking = false;
      if (standing.hasLeft) return;
      if (fault) return;
      const now = context.refusal === null ? context.principal?.caller : undefined;
      if (now === undefined || !holdsAll(now, caller)) this.#lose(standing, 'revoked');
      else if (standing.isOutdated) this.#judge(standing);
      else {
        standing.overdue = 0;
        standing.dueAtMs = this.#runtime.clock.now() + JUDGED_EVERY_MS;
      }
    };
    const judging = standing.judge(asked, res, answered);
    if (judging instanceof Promise) judging.catch(answered);
  }

  #lose(standing: Standing, reason: LossReason): void {
    this.#remove(standing);
    standing.end(reason);
  }
}

/** Those of one process, over reloads. */
export function standingConnections(runtime: GatewayRuntime): StandingConnections {
  const name = 'standing connections';
  const known = runtime.kept.get(name) as StandingConnections | undefined;
  const connections = known ?? new StandingConnections(runtime);
  runtime.kept.set(name, connections);
  return connections;
}

/** Whether a change may concern what a caller may do. */
function concerns(changed: Invalidation, caller: GatewayCaller): boolean {
  switch (changed.kind) {
    case 'everything':
      return true;
    case 'apiKey':
    case 'session':
      return changed.id === caller.id;
    case 'user':
      return changed.id === caller.userId;
    case 'organization':
      return changed.id === caller.organizationId;
    case 'membership':
      return changed.organizationId === caller.organizationId;
    default:
      return false;
  }
}

/** Whether a caller is still who it was, in the same role and organization, and has everything that it had. */
function holdsAll(now: GatewayCaller, before: GatewayCaller): boolean {
  if (now.kind !== before.kind || now.id !== before.id || now.userId !== before.userId) return false;
  if (now.organizationId !== before.organizationId || now.role !== before.role) return false;
  return before.scopes.every((scope) => now.scopes.includes(scope)) && reachesAll(now.access, before.access);
}

function reachesAll(now: GatewayCaller['access'], before: GatewayCaller['access']): boolean {
  if (now.level === 'global') return true;
  return before.level === 'website' && before.websiteIds.every((id) => now.websiteIds.includes(id));
}
