/** Metrics of custom SQL for operators: how many queries run and wait, and how long they ran in all. */
import type { Metrics } from '../../shared/ports/metrics.ts';

/** Values that are read at each scrape. */
interface Load {
  readonly running: number;
  readonly waiting: number;
}

export interface CustomSqlMeasures {
  watch(load: Load): void;
  /** Called when a query is over, answered or not. */
  ran(milliseconds: number): void;
}

export function createCustomSqlMeasures(metrics: Metrics): CustomSqlMeasures {
  const seconds = metrics
    .counter(
      'tidegate_custom_sql_running_seconds_total',
      'How long custom queries ran, failed ones included.',
      {},
    )
    .of({});
  return {
    watch(load) {
      metrics.watch('tidegate_custom_sql_running', 'Custom queries that run.', () => load.running);
      metrics.watch(
        'tidegate_custom_sql_waiting',
        'Custom queries that wait for a turn.',
        () => load.waiting,
      );
    },
    ran: (milliseconds) => seconds.add(milliseconds / 1_000),
  };
}
