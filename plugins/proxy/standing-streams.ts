/** Event streams that are under way, which end when their caller loses what it had as they began. */
import type { ServerResponse } from 'node:http';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Count } from '../../services/shared/ports/metrics.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { type LossReason, type StandingConnections, standingConnections } from './standing-connections.ts';

/** How long a client may take to read what was sent already, in milliseconds. */
const LOSING_MS = 500;

export class StandingStreams {
  readonly #standing: StandingConnections;
  readonly #ended: Readonly<Record<LossReason, Count>>;

  constructor(runtime: GatewayRuntime) {
    this.#standing = standingConnections(runtime);
    const ended = runtime.metrics.counter(
      'tidegate_event_streams_ended_total',
      'Event streams that the gateway ended: their caller lost a right, or could not be judged.',
      { reason: ['revoked', 'unjudged'] },
    );
    this.#ended = { revoked: ended.of({ reason: 'revoked' }), unjudged: ended.of({ reason: 'unjudged' }) };
  }

  /** Until the answer ends. `abort`: gives up the backend's. */
  hold(req: GatewayRequest, res: ServerResponse, abort: (reason: ApiError) => void): void {
    // Nobody holds an answer open that goes nowhere.
    if (res.closed) return;
    const leave = this.#standing.add(req, res, (reason) => {
      this.#ended[reason].add();
      res.end();
      abort(new ApiError(reason === 'revoked' ? 'AUTH_REQUIRED' : 'SERVICE_UNAVAILABLE'));
      const cut = setTimeout(() => res.destroy(), LOSING_MS);
      res.once('close', () => clearTimeout(cut));
    });
    res.once('close', leave);
  }
}
