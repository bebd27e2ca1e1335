/** Adds up what several worker processes measure: the first process asks, each worker answers with its numbers. */
import { AggregatorRegistry, Registry } from 'prom-client';

/** The part of a worker that is used here. */
export interface MeasuredWorker {
  isConnected(): boolean;
  send(message: object): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** The part of a worker's own process that is used here. */
export interface WorkerChannel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send?: ((message: object) => unknown) | undefined;
}

const ASK = 'tidegate:metrics?';
const ANSWER = 'tidegate:metrics';

/** How long a worker may take to answer, in milliseconds; after that its latest counts are shown. */
const ANSWER_MS = 2_000;

/** A metric as a worker's registry gives it. */
interface Measured {
  readonly type: string;
}

interface Answer {
  readonly type: typeof ANSWER;
  readonly id: number;
  readonly metrics: readonly Measured[];
}

/** Types of metrics that only count up: they must not fall when a process is replaced, as gauges may. */
const COUNTING = ['counter', 'histogram'];

/** In a worker: answers from now on. */
export function answerMetrics(registry: Registry, channel: WorkerChannel): void {
  channel.on('message', (message) => {
    if (!isMessage(message, ASK)) return;
    void registry.getMetricsAsJSON().then(
      (metrics) => channel.send?.({ type: ANSWER, id: message.id, metrics }),
      () => undefined,
    );
  });
}

/**
 * What all workers measured together, for the scrape of the first process: sums, also of gauges. The last counts of an
 * ended worker stay in the sum, so that no count ever falls.
 */
export function gatherMetrics(workers: () => readonly MeasuredWorker[]): {
  readonly contentType: string;
  text(): Promise<string>;
} {
  let lastId = 0;
  /** Each worker's counts in its latest answer. */
  const latest = new Map<MeasuredWorker, readonly Measured[]>();
  /** The counts of all ended workers, added up. */
  let ended: readonly object[] = [];

  async function measuredBy(worker: MeasuredWorker): Promise<readonly Measured[]> {
    const metrics = await ask(worker);
    if (metrics === null) return latest.get(worker) ?? [];
    latest.set(
      worker,
      metrics.filter(({ type }) => COUNTING.includes(type)),
    );
    return metrics;
  }

  function keepCountsOfEnded(running: readonly MeasuredWorker[]): void {
    for (const [worker, counts] of latest) {
      if (running.includes(worker)) continue;
      latest.delete(worker);
      ended = AggregatorRegistry.aggregate([ended, counts]).getMetricsAsArray();
    }
  }

  function ask(worker: MeasuredWorker): Promise<readonly Measured[] | null> {
    if (!worker.isConnected()) return Promise.resolve(null);
    lastId++;
    const id = lastId;
    return new Promise((resolve) => {
      const listener = (message: unknown): void => {
        if (isMessage(message, ANSWER) && message.id === id) settle((message as Answer).metrics);
      };
      const timer = setTimeout(() => settle(null), ANSWER_MS);
      function settle(metrics: readonly Measured[] | null): void {
        clearTimeout(timer);
        worker.off('message', listener);
        resolve(metrics);
      }
      worker.on('message', listener);
      worker.send({ type: ASK, id });
    });
  }

  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    async text() {
      const running = workers();
      keepCountsOfEnded(running);
      const answers = await Promise.all(running.map(measuredBy));
      return AggregatorRegistry.aggregate([...answers, ended]).metrics();
    },
  };
}

function isMessage<Type extends string>(
  message: unknown,
  type: Type,
): message is { readonly type: Type; readonly id: number } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}
