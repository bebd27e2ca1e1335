/** What the query bench compares: an engine that answers the five datasets of a website, each as rows of texts. */
import { BATCH, type BatchDataset } from './query-workload.ts';

export const ENGINE_NAMES = ['tidegate', 'postgresql', 'sqlite', 'clickhouse'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];
/** What `npm run bench:query` measures when nothing is named. */
export const USUAL_ENGINES: readonly EngineName[] = ['tidegate', 'postgresql', 'sqlite'];

/** Rows by dataset; the columns of COMPARED in query-sql.ts come first, others may follow. */
export type Answers = Readonly<Record<BatchDataset, readonly (readonly string[])[]>>;

export interface QueryEngine {
  readonly name: EngineName;
  /** The whole batch of a website over the window. */
  ask(websiteId: string): Promise<Answers>;
  /** CPU time that its processes have used so far. */
  cpuMicroseconds(): number;
  /** Resident memory at the moment, in megabytes of 10^6 bytes. */
  megabytes(): number;
  stop(): Promise<void>;
}

/** Every dataset of the batch, spread over sessions that take one statement at a time each. */
export async function runSpread<S>(
  sessions: readonly S[],
  ask: (session: S, dataset: BatchDataset) => Promise<readonly (readonly string[])[]>,
): Promise<Answers> {
  const left = [...BATCH];
  const answers = new Map<BatchDataset, readonly (readonly string[])[]>();
  await Promise.all(
    sessions.map(async (session) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        answers.set(next, await ask(session, next));
      }
    }),
  );
  const of = (dataset: BatchDataset) => answers.get(dataset) ?? [];
  return {
    summary: of('summary'),
    top_pages: of('top_pages'),
    traffic_sources: of('traffic_sources'),
    countries: of('countries'),
    browsers: of('browsers'),
  };
}
