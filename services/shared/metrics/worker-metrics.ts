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

/** How long a worker may owe its answer, in milliseconds: the numbers of one that owes it are left out. */
const ANSWER_MS = 2_000;

interface Answer {
  readonly type: typeof ANSWER;
  readonly id: number;
  readonly metrics: readonly object[];
}

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

/** What the workers measured together, for whoever scrapes the first process: sums, of gauges too. */
export function gatherMetrics(workers: () => readonly MeasuredWorker[]): {
  readonly contentType: string;
  text(): Promise<string>;
} {
  let lastId = 0;

  function ask(worker: MeasuredWorker): Promise<readonly object[] | null> {
    if (!worker.isConnected()) return Promise.resolve(null);
    lastId++;
    const id = lastId;
    return new Promise((resolve) => {
      const listener = (message: unknown): void => {
        if (isMessage(message, ANSWER) && message.id === id) settle((message as Answer).metrics);
      };
      const timer = setTimeout(() => settle(null), ANSWER_MS);
      function settle(metrics: readonly object[] | null): void {
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
      const answers = await Promise.all(workers().map(ask));
      return AggregatorRegistry.aggregate(answers.filter((each) => each !== null)).metrics();
    },
  };
}

function isMessage<Type extends string>(
  message: unknown,
  type: Type,
): message is { readonly type: Type; readonly id: number } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}
