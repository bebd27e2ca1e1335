/** Which requests may become WebSockets, how many may be open, and when they end. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import type { Count } from '../../services/shared/ports/metrics.ts';
import { noPlace, Places, placeHolder } from '../kit/places.ts';
import type { ParameterFault, StepPlace } from '../kit/policy.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { type StandingConnections, standingConnections } from './standing-connections.ts';
import { type EndReason, Tunnel } from './tunnel.ts';

export const webSocketParams = z.strictObject({
  idleSeconds: z
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(300)
    .describe('How long one may be open while neither side sends anything, in seconds. Default 300.'),
  mostPerOrganization: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe(
      'How many an organization may have open, in each process of the gateway; an anonymous caller counts by address. Default 100.',
    ),
});

export type WebSocketParams = z.output<typeof webSocketParams>;

/** What is wrong with `webSocket` where it stands. */
export function webSocketFaults(service: string, place: StepPlace): ParameterFault[] {
  const fault = (text: string): ParameterFault => ({ path: ['webSocket'], text });
  const faults: ParameterFault[] = [];
  const audience = place.services.get(service)?.audience ?? null;
  if (audience !== null)
    faults.push(fault(`"${service}" is a service of Tidegate, and none takes WebSockets`));
  if (place.isOnExpress)
    faults.push(
      fault('works in the dispatch table alone: no host, regular expression or condition in its pipeline'),
    );
  if (!place.endpoints.some(({ methods }) => methods === null || methods.includes('GET')))
    faults.push(fault('no endpoint of this pipeline answers GET, by which a WebSocket is opened'));
  return faults;
}

/** All of one process, over reloads. */
interface Opened {
  /** Whose they are; requests for one take a place too. */
  readonly places: Places;
  count: number;
}

const OPENED = 'open web sockets';

function openedIn({ kept, metrics }: GatewayRuntime): Opened {
  const known = kept.get(OPENED) as Opened | undefined;
  if (known !== undefined) return known;
  const made: Opened = { places: new Places(), count: 0 };
  kept.set(OPENED, made);
  metrics.watch('tidegate_websockets', 'WebSockets that are open.', () => made.count);
  return made;
}

/** Those of one proxy step. */
export class WebSockets {
  readonly #params: WebSocketParams;
  readonly #runtime: GatewayRuntime;
  readonly #opened: Opened;
  readonly #tunnels = new Set<Tunnel>();
  readonly #standing: StandingConnections;
  readonly #ended: Readonly<Record<EndReason, Count>>;

  constructor(params: WebSocketParams, runtime: GatewayRuntime) {
    this.#params = params;
    this.#runtime = runtime;
    this.#opened = openedIn(runtime);
    const ended = runtime.metrics.counter(
      'tidegate_websockets_ended_total',
      'WebSockets that the gateway ended: nothing was sent for too long, it closes or has a new configuration, or their caller lost a right or could not be judged.',
      { reason: ['idle', 'closing', 'revoked', 'unjudged'] },
    );
    this.#ended = {
      idle: ended.of({ reason: 'idle' }),
      closing: ended.of({ reason: 'closing' }),
      revoked: ended.of({ reason: 'revoked' }),
      unjudged: ended.of({ reason: 'unjudged' }),
    };
    this.#standing = standingConnections(runtime);
    runtime.onClose(() => {
      for (const tunnel of this.#tunnels) this.#end(tunnel, 'closing');
    });
  }

  /** Takes a place for the WebSocket that a request asks for, until its connection ends; the refusal if there is none. */
  enter({ context, socket }: GatewayRequest, res: ServerResponse): ApiError | null {
    if (this.#runtime.isDraining()) return closing();
    const { mostPerOrganization: most } = this.#params;
    if (this.#opened.places.take(placeHolder(context, 'organization'), most, res, socket)) return null;
    const text = `At most ${most} WebSockets may be open at a time; close one, then try again.`;
    return noPlace(context, most, this.#runtime.clock.now(), 'web-sockets', text);
  }

  /** Joins client and backend once `head`, the answer that opens it, is written. */
  open(req: GatewayRequest, res: ServerResponse, backend: Socket, head: string): void {
    const { upgrade } = req.context;
    if (upgrade === null) throw new Error('the request asked for no WebSocket');
    if (this.#runtime.isDraining()) throw closing();
    const client = upgrade.take(() => this.#end(tunnel, 'closing'));
    client.write(head, 'latin1');
    const tunnel: Tunnel = new Tunnel(client, backend, upgrade.head, this.#params.idleSeconds * 1000, () =>
      this.#end(tunnel, 'idle'),
    );
    this.#tunnels.add(tunnel);
    this.#opened.count++;
    const leave = this.#standing.add(req, res, (reason) => this.#end(tunnel, reason));
    client.once('close', () => {
      leave();
      this.#tunnels.delete(tunnel);
      this.#opened.count--;
    });
  }

  #end(tunnel: Tunnel, reason: EndReason): void {
    if (tunnel.end(reason)) this.#ended[reason].add();
  }
}

/** For a step that does not take them. */
export function noWebSockets(): ApiError {
  return validationError([
    { field: 'upgrade', message: 'This endpoint opens no WebSocket; ask it without the header Upgrade.' },
  ]);
}

function closing(): ApiError {
  const text = 'This gateway is closing; open the WebSocket again.';
  return new ApiError('SERVICE_UNAVAILABLE', { text, headers: { 'Retry-After': '1' } });
}
