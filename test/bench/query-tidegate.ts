/** Tidegate for the query bench: as shipped, over prepared events, asked with a key through its gateway. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { type IngestTarget, startIngestTarget } from './ingest-target.ts';
import { cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import type { Answers, QueryEngine } from './query-engine.ts';
import { COMPARED } from './query-sql.ts';
import { BATCH, type BatchDataset, DAY_MS, INGEST_WEBSITE, WEBSITES, type Window } from './query-workload.ts';

export interface TidegateOptions {
  readonly processes: BenchProcesses;
  readonly root: string;
  /** Its `data` folder holds the events. */
  readonly folder: string;
  readonly window: Window;
  readonly nodeArguments: readonly string[];
  /** Megabytes of remembered answers: what a query costs is measured without them. */
  readonly answersMb: number;
}

export interface TidegateEngine extends QueryEngine {
  readonly target: IngestTarget;
  /** Reads the whole answer. @throws when it is not 200 */
  post(pathname: string, websiteId: string, body: string): Promise<string>;
  /** Milliseconds until the first line of an answer in lines, which is then read to its end. @throws when it is not 200 */
  firstLine(websiteId: string, body: string): Promise<number>;
  /** The body of the batch. */
  readonly batch: string;
}

interface QueryAnswer {
  readonly data: readonly {
    readonly parameter: BatchDataset;
    readonly success: boolean;
    readonly error?: string;
    readonly data: readonly Readonly<Record<string, string | number | null>>[];
  }[];
}

export async function startTidegate(options: TidegateOptions): Promise<TidegateEngine> {
  // Each run provisions anew, with a key of its own.
  const { documents } = dataPathsOf(path.join(options.folder, 'data'));
  for (const end of ['', '-wal', '-shm']) rmSync(documents + end, { force: true });
  const target = await startIngestTarget({
    ...options,
    settings: { ANSWERS_MEMORY_MB: `${options.answersMb}` },
    processor: null,
    websites: [...WEBSITES.map(({ websiteId }) => websiteId), INGEST_WEBSITE],
  });
  const headers = { 'content-type': 'application/json', ...(await target.headers('gateway')) };
  const batch = JSON.stringify({ parameters: BATCH, ...datesOf(options.window) });
  const { pid } = target.process;
  async function post(pathname: string, websiteId: string, body: string): Promise<string> {
    const url = `${target.urls.gateway}${pathname}?website_id=${websiteId}`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${pathname} answered ${answer.status}: ${text}`);
    return text;
  }
  async function firstLine(websiteId: string, body: string): Promise<number> {
    const before = performance.now();
    const url = `${target.urls.gateway}/v1/query?website_id=${websiteId}`;
    const lines = { ...headers, accept: 'application/x-ndjson' };
    const answer = await fetch(url, { method: 'POST', headers: lines, body });
    if (answer.status !== 200 || !answer.body) throw new Error(`/v1/query answered ${answer.status}`);
    let first: number | null = null;
    for await (const piece of answer.body) {
      if (first === null && Buffer.from(piece).includes(10)) first = performance.now() - before;
    }
    if (first === null) throw new Error('/v1/query answered no line');
    return first;
  }
  return {
    name: 'tidegate',
    target,
    batch,
    post,
    firstLine,
    ask: async (websiteId) => rowsOf(JSON.parse(await post('/v1/query', websiteId, batch)) as QueryAnswer),
    cpuMicroseconds: () => cpuMicroseconds(pid),
    megabytes: () => residentMegabytes(pid),
    // Ends with the other processes of the bench.
    stop: async () => undefined,
  };
}

/** First and last day of the window, for a query. */
export function datesOf({ from, to }: Window): { startDate: string; endDate: string } {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { startDate: day(from), endDate: day(to - DAY_MS) };
}

function rowsOf({ data }: QueryAnswer): Answers {
  const of = (dataset: BatchDataset) => {
    const answer = data.find(({ parameter }) => parameter === dataset);
    if (!answer?.success) throw new Error(`${dataset} failed: ${answer?.error}`);
    const { names, counts } = COMPARED[dataset];
    return answer.data.map((row) => [...names, ...counts].map((column) => String(row[column])));
  };
  return {
    summary: of('summary'),
    top_pages: of('top_pages'),
    traffic_sources: of('traffic_sources'),
    countries: of('countries'),
    browsers: of('browsers'),
  };
}
