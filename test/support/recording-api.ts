/** Stands for the API before a tracker: serves the built script, keeps what it is sent, answers as it is told. */
import { text } from 'node:stream/consumers';
import { readTrackerScript } from '../../services/tracking/script/read-tracker-script.ts';
import { serve } from './serve.ts';

/** An event as it came, with the request that brought it. */
export interface RecordedEvent {
  readonly route: string;
  readonly clientId: string | null;
  readonly contentType: string | undefined;
  /** Number of the request, from 0. */
  readonly request: number;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of any shape
  readonly event: any;
}

export interface RecordingApi {
  readonly origin: string;
  /** Every event of every request, whatever was answered. */
  readonly recorded: readonly RecordedEvent[];
  /** Events that were answered 200 and name this type, in the order they came. */
  taken(type: string): readonly RecordedEvent['event'][];
  /** Forgets all, and answers 200 again, or as `status` says of a request's number and events. */
  reset(status?: (request: number, events: readonly RecordedEvent['event'][]) => number): void;
  close(): Promise<void>;
}

export async function startRecordingApi(): Promise<RecordingApi> {
  const script = await readTrackerScript();
  let recorded: RecordedEvent[] = [];
  let requests = 0;
  let statusOf: Parameters<RecordingApi['reset']>[0];

  const served = await serve(async (req, res) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    if (req.method === 'GET') {
      res.setHeader('Content-Type', 'text/javascript');
      res.end(script);
      return;
    }
    const url = new URL(req.url ?? '/', 'http://api');
    const events: unknown[] = JSON.parse(await text(req));
    const request = requests++;
    const status = statusOf?.(request, events) ?? 200;
    const common = {
      route: url.pathname,
      clientId: url.searchParams.get('client_id'),
      contentType: req.headers['content-type'],
      request,
      status,
    };
    recorded.push(...events.map((event) => ({ ...common, event })));
    res.writeHead(status).end('{}');
  });

  return {
    origin: served.url,
    get recorded() {
      return recorded;
    },
    taken: (type) =>
      recorded.filter(({ status, event }) => status === 200 && event.type === type).map(({ event }) => event),
    reset(status) {
      recorded = [];
      requests = 0;
      statusOf = status;
    },
    close: served.close,
  };
}
