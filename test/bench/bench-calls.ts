/** The calls that the bench of processes sends, the same to every mode: a list, a query over a small website, an event. */
import { Agent, request } from 'undici';

export const WEBSITE = 'web_bench';

export interface BenchCalls {
  list(): Promise<void>;
  summary(): Promise<void>;
  track(number: number): Promise<void>;
  /** Many events in one request, numbered from `first`. */
  trackAll(count: number, first: number): Promise<void>;
  close(): Promise<void>;
}

/** Calls of one server, over kept connections. They throw for every status but 200. */
export function benchCalls(origin: string, key: string): BenchCalls {
  const dispatcher = new Agent({ connections: 64, pipelining: 1 });
  const run = `${process.pid}-${origin}`;
  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<void> {
    const answer = await request(origin + path, {
      dispatcher,
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  }
  const today = new Date().toISOString().slice(0, 10);
  const monthAgo = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10);
  const dates = { startDate: monthAgo, endDate: today };
  return {
    list: () => call('GET', '/v1/query/websites'),
    summary: () =>
      call('POST', `/v1/query?website_id=${WEBSITE}`, { parameters: ['summary_metrics'], ...dates }),
    track: (number) => call('POST', `/track?website_id=${WEBSITE}`, eventOf(`${run}-single`, number)),
    trackAll: (count, first) =>
      call(
        'POST',
        `/track?website_id=${WEBSITE}`,
        Array.from({ length: count }, (_, index) => eventOf(`${run}-seed`, first + index)),
      ),
    close: () => dispatcher.destroy(),
  };
}

function eventOf(run: string, number: number): Readonly<Record<string, unknown>> {
  return {
    name: number % 3 === 0 ? 'button_clicked' : 'screen_view',
    eventId: `${run}-${number}`,
    anonymousId: `anon_${number % 40}`,
    sessionId: `sess_${number % 90}`,
    path: `https://www.example.com/articles/${number % 30}`,
    properties: { plan: 'pro', amount: number },
  };
}
