/** Adds up what several worker processes measure: the first process asks, each worker answers with its numbers. */
import { AggregatorRegistry, Registry } from 'prom-client';

/** As much of a worker as is asked. */
export interface MeasuredWorker {
  isConnected(): boolean;
  send(message: object): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Of the process's side that is a worker's. */
export interface WorkerChannel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send?: ((message: object) => unknown) | undefined;
}

const ASK = 'tidegate:metrics?';
const ANSWER = 'tidegate:metrics';

/** How long a worker may owe its answer, in milliseconds; of one that owes it, the latest counts stand. */
const ANSWER_MS = 2_000;

/** A metric as the registry of a worker gives it. */
interface Measured {
  readonly type: string;
}

interface Answer {
  readonly type: typeof ANSWER;
  readonly id: number;
  readonly metrics: readonly Measured[];
}

/** What counts up from the start of a process: it must not fall when the process is replaced, as gauges may. */
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
 * What the workers measured together, for whoever scrapes the first process: sums, of gauges too. What was shown of a
 * worker's counts stays in the sum when it has ended, so that no count ever falls.
 */
export function gatherMetrics(workers: () => readonly MeasuredWorker[]): {
  readonly contentType: string;
  text(): Promise<string>;
} {
  let lastId = 0;
  /** The counts of each worker when it answered last. */
  const latest = new Map<MeasuredWorker, readonly Measured[]>();
  /** The counts of all that have ended, added up. */
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
