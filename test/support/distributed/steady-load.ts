/** Tracks, queries and manages at a steady rate through a balancer, and keeps what came of each request. */
import { setTimeout as delay } from 'node:timers/promises';
import { ERRORS } from '../../../services/shared/errors/catalogue.ts';
import { newKeyText } from '../test-organizations.ts';
import type { Balanced, BalancedRequest, Balancer } from './balancer.ts';

/** How long the load waits for any answer, in milliseconds: longer than the longest timeout of its routes, 35 s. */
const PATIENCE_MS = 40_000;
/** Most requests under way: a slow machine gets fewer each second, and an outage gathers no crowd that keeps it from recovering. */
const MOST_OPEN = 60;
/** How long a sender waits before it sends an event again that was not taken, in milliseconds. */
const AGAIN_MS = 1_000;

export type Activity = 'track' | 'query' | 'manage';

/** Which request comes when: of ten, six track, two query, two manage. */
const MIX: readonly Activity[] = [
  ...(['track', 'query', 'track', 'manage', 'track'] as const),
  ...(['track', 'query', 'track', 'manage', 'track'] as const),
];

/** A request that is over. Times are of `performance.now()`. */
export interface Outcome {
  readonly activity: Activity;
  readonly startedMs: number;
  readonly endedMs: number;
  /** Null: the connection to the gateway broke. */
  readonly status: number | null;
  /** Why it failed; null when it succeeded. */
  readonly fault: string | null;
  /** Whether the failure is an error of the catalogue, shaped as it says. */
  readonly isDeclared: boolean;
}

export interface SteadyLoad {
  readonly outcomes: readonly Outcome[];
  /** Identifiers of all events that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Those of which a 200 came. */
  readonly acknowledged: ReadonlySet<string>;
  /** Whether a request is under way that began before. */
  waitsSince(beforeMs: number): boolean;
  /** Screen views of the last days, as a query tells them. @throws Error for anything but an answer */
  countByQuery(): Promise<unknown>;
  /** Ends the load: resolves when every request is over and every event was taken. */
  stop(): Promise<void>;
}

/** Begins it. `perSecond`: new requests each second, while no more than {@link MOST_OPEN} are under way; an event that is not taken is sent again. */
export function startLoad(balancer: Balancer, perSecond: number): SteadyLoad {
  const outcomes: Outcome[] = [];
  const sent = new Set<string>();
  const acknowledged = new Set<string>();
  const open = new Set<Promise<void>>();
  /** When the requests under way began. */
  const begun = new Set<{ readonly startedMs: number }>();
  let count = 0;
  let isOn = true;

  async function ask(activity: Activity, asked: BalancedRequest): Promise<boolean> {
    const startedMs = performance.now();
    const own = { startedMs };
    begun.add(own);
    const end = (rest: Pick<Outcome, 'status' | 'fault' | 'isDeclared'>): boolean => {
      begun.delete(own);
      outcomes.push({ activity, startedMs, endedMs: performance.now(), ...rest });
      return rest.fault === null;
    };
    try {
      const answer = await balancer.send(asked, PATIENCE_MS);
      const fault = answer.status === 200 ? faultOfSuccess(activity, answer) : `${codeOf(answer)}`;
      return end({ status: answer.status, fault, isDeclared: fault !== null && isDeclared(answer) });
    } catch (fault) {
      return end({ status: null, fault: String(fault), isDeclared: false });
    }
  }

  async function track(id: string): Promise<void> {
    sent.add(id);
    while (!(await ask('track', trackingOf(id)))) await delay(AGAIN_MS);
    acknowledged.add(id);
  }

  function begin(): void {
    const number = count++;
    const activity = MIX[number % MIX.length] ?? 'track';
    const work =
      activity === 'track'
        ? track(`steady ${number}`)
        : ask(activity, REQUESTS[activity]).then(() => undefined);
    open.add(work);
    void work.finally(() => open.delete(work));
  }

  async function run(): Promise<void> {
    while (isOn) {
      await delay(1000 / perSecond);
      if (open.size < MOST_OPEN) begin();
    }
  }

  const running = run();
  return {
    outcomes,
    sent,
    acknowledged,
    waitsSince: (beforeMs) => [...begun].some(({ startedMs }) => startedMs < beforeMs),
    async countByQuery() {
      const answer = await balancer.send(REQUESTS.query, PATIENCE_MS);
      if (faultOfSuccess('query', answer) !== null) throw new Error(answer.text);
      return JSON.parse(answer.text).data[0].data[0].pageviews;
    },
    async stop() {
      isOn = false;
      await running;
      await Promise.all(open);
    },
  };
}

const KEY = newKeyText();
const WEBSITE = 'web_steady';
const HEADERS = { 'x-api-key': KEY, 'content-type': 'application/json' };

/** The provisioning file of what the load needs, without limits that it reaches. */
export const LOADED_PROVISIONING = `
organizations:
  - id: org_steady
    name: Steady
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000 }
    websites: [{ id: ${WEBSITE}, name: Steady, domain: steady.example.com }]
    apiKeys:
      - { id: key_steady, name: steady, key: ${KEY}, scopes: [track:events, read:data, manage:websites], access: { level: global } }
`;

const REQUESTS: Readonly<Record<Exclude<Activity, 'track'>, BalancedRequest>> = {
  query: {
    method: 'POST',
    path: `/v1/query?website_id=${WEBSITE}`,
    headers: HEADERS,
    body: JSON.stringify({ parameters: ['summary_metrics'], preset: 'last_7d' }),
  },
  manage: { method: 'GET', path: `/v1/websites/${WEBSITE}`, headers: HEADERS },
};

function trackingOf(eventId: string): BalancedRequest {
  const event = { name: 'screen_view', websiteId: WEBSITE, anonymousId: `v ${eventId.slice(-1)}` };
  const body = JSON.stringify({ ...event, eventId, sessionId: 's1', path: '/a' });
  return { method: 'POST', path: '/track', headers: HEADERS, body };
}

/** What is wrong with an answer that says 200; null when nothing is. */
function faultOfSuccess(activity: Activity, { text }: Balanced): string | null {
  const body = parsed(text);
  if (!isRecord(body)) return `no JSON object: ${text.slice(0, 200)}`;
  if (activity === 'query') {
    const [dataset] = Array.isArray(body.data) ? body.data : [];
    return isRecord(dataset) && dataset.success === true ? null : `in a 200: ${text.slice(0, 300)}`;
  }
  return body.success === false || body.status === 'error' ? `in a 200: ${text.slice(0, 300)}` : null;
}

function codeOf({ status, text }: Balanced): string {
  const body = parsed(text);
  return `${status} ${isRecord(body) ? String(body.code) : text.slice(0, 200)}`;
}

/** An error as contract.md section 2 says: status and code of the catalogue, JSON, and the headers of every answer. */
function isDeclared({ status, headers, text }: Balanced): boolean {
  const body = parsed(text);
  return (
    isRecord(body) &&
    Object.values(ERRORS).some((entry) => entry.status === status && entry.code === body.code) &&
    body.success === false &&
    typeof body.error === 'string' &&
    body.message === body.error &&
    headers.get('content-type') === 'application/json; charset=utf-8' &&
    body.requestId === headers.get('x-request-id') &&
    headers.get('x-ratelimit-limit') !== null &&
    (status !== 503 || headers.get('retry-after') !== null)
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
