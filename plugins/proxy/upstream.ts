/** The addresses of one service: which one gets the next request, and what monitors them. */
import type { Logger } from 'pino';
import type { Balance, ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { offerUpstreamStates } from '../kit/upstream-states.ts';
import { startHealthCheck } from './health-check.ts';
import { addressSeed, loadBound, weightOf } from './rendezvous.ts';
import { type OnChange, UpstreamAddress } from './upstream-address.ts';
import { createBreakerOpens, ShownAddresses } from './upstream-measures.ts';

type Fits = (address: UpstreamAddress) => boolean;

/** How suitable an address is, from best to worst. */
const takesRequests: Fits = (address) => address.takesRequests;
/** Its health check fails, but its requests do not: better tried than refused. */
const isClosed: Fits = ({ breaker }) => breaker === null || !breaker.isOpen;

export class Upstream {
  readonly addresses: readonly UpstreamAddress[];
  readonly #balance: Balance;
  /** The seed of each address, from which its weights for keys are made. */
  readonly #seeds: readonly number[];
  /** The only address, if nothing can take it out; null where there is a choice. */
  readonly #only: UpstreamAddress | null;
  /** Addresses whose breaker is open. */
  #open = 0;
  /** Where the search for the next address begins, so that equal ones take turns. */
  #next = 0;

  constructor(
    { urls, balance, breaker }: Pick<ServiceEndpoint, 'urls' | 'balance' | 'breaker'>,
    onChange: OnChange = () => undefined,
  ) {
    this.#balance = balance;
    this.#seeds = urls.map(addressSeed);
    this.addresses = urls.map(
      (url, index) =>
        new UpstreamAddress(url, index, breaker, (address, by) => {
          this.#open = this.addresses.filter((each) => each.breaker?.isOpen).length;
          onChange(address, by);
        }),
    );
    const [first = null] = this.addresses;
    this.#only = urls.length === 1 && breaker === null ? first : null;
  }

  /**
   * The address for the next request; `tried` has a bit for each address that it was already sent to, and these come
   * last. With `key`, the hash of what stays with one address, that one while it can take it. Null when every breaker is
   * open and no trial is due.
   */
  pick(tried: number, key: number | null = null): UpstreamAddress | null {
    if (this.#only !== null) return this.#only;
    const address = this.#pickExcept(tried, key);
    if (address !== null || tried === 0) return address;
    // A retry prefers an address with an open breaker to one that has just failed.
    return this.#best((other) => other.isHealthy, tried, key) ?? this.#pickExcept(0, key);
  }

  /** Milliseconds until an address takes a request again. */
  waitMs(): number {
    return Math.min(...this.addresses.map(({ breaker }) => breaker?.waitMs ?? 0));
  }

  #pickExcept(excepted: number, key: number | null): UpstreamAddress | null {
    if (this.#open === 0)
      return this.#best(takesRequests, excepted, key) ?? this.#best(isClosed, excepted, key);
    const isDue: Fits = ({ breaker }) => breaker?.isOpen === true && breaker.waitMs === 0;
    return (
      // A trial comes first: while others take all requests, nothing else would show that the address has recovered.
      this.#best((address) => address.isHealthy && isDue(address), excepted, key) ??
      this.#best(takesRequests, excepted, key) ??
      this.#best(isClosed, excepted, key) ??
      this.#best(isDue, excepted, key)
    );
  }

  #best(fits: Fits, excepted: number, key: number | null): UpstreamAddress | null {
    if (key !== null) return this.#heaviest(fits, excepted, key);
    const { addresses } = this;
    const count = addresses.length;
    let best: UpstreamAddress | null = null;
    for (let step = 0; step < count; step++) {
      const address = addresses[(this.#next + step) % count] as UpstreamAddress;
      if ((excepted & (1 << address.index)) !== 0 || !fits(address)) continue;
      if (best === null || address.inFlight < best.inFlight) best = address;
      if (this.#balance === 'round-robin') break;
    }
    // A retry takes nobody's turn.
    if (best !== null && excepted === 0) this.#next = (best.index + 1) % count;
    return best;
  }

  /** The address with the highest weight for `key` among those that are not far busier than the others. */
  #heaviest(fits: Fits, excepted: number, key: number): UpstreamAddress | null {
    let inFlight = 0;
    let count = 0;
    for (const address of this.addresses) {
      if ((excepted & (1 << address.index)) !== 0 || !fits(address)) continue;
      inFlight += address.inFlight;
      count++;
    }
    const most = loadBound(inFlight, count);
    let best: UpstreamAddress | null = null;
    let heaviest = -1;
    for (const address of this.addresses) {
      if ((excepted & (1 << address.index)) !== 0 || !fits(address) || address.inFlight >= most) continue;
      const weight = weightOf(key, this.#seeds[address.index] as number);
      if (weight <= heaviest) continue;
      heaviest = weight;
      best = address;
    }
    return best;
  }
}

/** The upstreams of each running configuration, by service: all its proxy steps see the same addresses. */
const upstreams = new WeakMap<GatewayRuntime, Map<string, Upstream>>();

/** The upstream of a serviceEndpoint, monitored until the configuration is replaced. */
export function upstreamOf(runtime: GatewayRuntime, name: string, service: ServiceEndpoint): Upstream {
  const known = upstreams.get(runtime) ?? new Map<string, Upstream>();
  upstreams.set(runtime, known);
  const made = known.get(name) ?? watchedUpstream(runtime, name, service);
  known.set(name, made);
  return made;
}

function watchedUpstream(runtime: GatewayRuntime, name: string, service: ServiceEndpoint): Upstream {
  const { healthCheck, breaker } = service;
  const { metrics, logger } = runtime;
  const opens = createBreakerOpens(metrics, name);
  const upstream = new Upstream(service, (address, by) => {
    if (by === 'breaker' && address.breaker?.isOpen) opens.add();
    shown.update(address);
    tellChange(logger, name, address, by);
  });
  offerUpstreamStates(runtime, () =>
    upstream.addresses.map((address) => ({
      service: name,
      address: address.origin,
      isHealthy: healthCheck === null ? null : address.isHealthy,
      breaker: address.breaker?.state ?? null,
      inFlight: address.inFlight,
      requests: address.requests,
      failures: address.failures,
      retries: address.retries,
    })),
  );
  const isWatched = healthCheck !== null || breaker !== null;
  const shown = new ShownAddresses(metrics, name, isWatched ? upstream.addresses : []);
  if (healthCheck !== null) {
    for (const address of upstream.addresses) {
      const tellRefusal = (status: number): void =>
        logger.warn(
          { service: name, address: address.origin, path: healthCheck.path, status },
          'the health check is refused: see whether healthCheck.path is right',
        );
      runtime.onClose(
        startHealthCheck(address, healthCheck, tellRefusal, service.tls, runtime.servicesInProcess),
      );
    }
  }
  return upstream;
}

function tellChange(
  logger: Logger,
  service: string,
  { origin, breaker, isHealthy }: UpstreamAddress,
  by: 'health' | 'breaker',
): void {
  const told = { service, address: origin };
  if (by === 'breaker') {
    if (breaker?.isOpen) logger.warn(told, 'an address failed requests in a row and gets none for now');
    else logger.info(told, 'an address that failed requests answers again');
  } else if (isHealthy) logger.info(told, 'an address passes its health check again');
  else logger.warn(told, 'an address fails its health check and gets no requests while another takes them');
}
