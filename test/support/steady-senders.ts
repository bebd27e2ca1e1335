/** Senders that track one request after the other until they are told to stop, and remember what was answered and when. */
import { newKeyText } from './start-tidegate.ts';

const KEY = newKeyText();
const EVENT = 'steady';

/** Provisions what the senders need: an organization of their own without narrow limits. */
export const STEADY_PROVISIONING = `
organizations:
  - id: org_steady
    name: Steady
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000, batchEventsPerMinute: 100000000 }
    websites: [{ id: web_steady, name: Steady, domain: steady.example.com }]
    apiKeys:
      - { id: key_steady, name: steady, key: ${KEY}, scopes: [track:events, read:data], access: { level: global } }
`;

export interface SteadyRequest {
  /** Of its events. */
  readonly ids: readonly string[];
  /** From the request to its answer, in milliseconds. */
  readonly tookMs: number;
}

export interface SteadySenders {
  /** Every request that was answered 200 so far, in the order of the answers. */
  readonly acknowledged: readonly SteadyRequest[];
  /** Every other answer, or fault of the connection. */
  readonly refused: readonly string[];
  /** Resolves when the last answer has come. */
  stop(): Promise<void>;
}

/** The properties of the event of that id: a torn one would show. */
export function steadyProperties(id: string): string {
  return JSON.stringify({ id, long: id.repeat(20) });
}

/** Whether an event, as the store holds it, came from these senders. */
export function isSteady(event: object): boolean {
  return 'event_name' in event && event.event_name === EVENT;
}

/** Begins to send. */
export function startSenders(origin: string, senders: number): SteadySenders {
  const acknowledged: SteadyRequest[] = [];
  const refused: string[] = [];
  let requests = 0;
  let isStopped = false;
  const send = async () => {
    while (!isStopped) {
      const number = requests++;
      const ids = Array.from({ length: 1 + (number % 4) }, (_, i) => `${number}-${i}`);
      const began = performance.now();
      const status = await track(origin, ids);
      if (status === '200') acknowledged.push({ ids, tookMs: performance.now() - began });
      else refused.push(status);
    }
  };
  const ended = Promise.all(Array.from({ length: senders }, send));
  return {
    acknowledged,
    refused,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

/** The status of the answer to a request with these events, or what went wrong. */
export async function track(origin: string, ids: readonly string[]): Promise<string> {
  const events = ids.map((id) => ({
    ...{ name: EVENT, eventId: id, websiteId: 'web_steady', properties: JSON.parse(steadyProperties(id)) },
  }));
  try {
    const response = await fetch(`${origin}/track`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(events),
    });
    await response.text();
    return String(response.status);
  } catch (fault) {
    return String(fault);
  }
}
