/** The load: wrk with one prepared request, for a bounded time, and its counts as data. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { BenchProcesses } from './bench-processes.ts';

/** A request that the load repeats. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for a request without a body. */
  readonly body?: string;
  /** Further Lua, such as a `request` function that makes another body each time. */
  readonly lua?: string;
}

const countsSchema = z.object({
  requests: z.number(),
  /** Microseconds. */
  duration: z.number(),
  /** Answers of status 400 and above, as wrk counts them. */
  refused: z.number(),
  /** Connections that failed to open, read or write, and requests that ran out of time. */
  broken: z.number(),
});
export type LoadCounts = z.infer<typeof countsSchema>;

const COUNTS_LINE = 'bench-counts ';

/** Lua long brackets: no character of `text` is special in them. */
function luaText(text: string): string {
  return `[==[${text}]==]`;
}

/** Writes the wrk script of `request` to `file`. */
export function writeLoadScript(file: string, request: LoadRequest): void {
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `wrk.headers[ ${luaText(name)} ] = ${luaText(value)}`,
  );
  writeFileSync(
    file,
    `wrk.method = ${luaText(request.method)}
${request.body === undefined ? '' : `wrk.body = ${luaText(request.body)}`}
${headers.join('\n')}
${request.lua ?? ''}
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('${COUNTS_LINE}{"requests":%d,"duration":%d,"refused":%d,"broken":%d}\\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout))
end
`,
  );
}

/** Runs the load of `script` against `url` for `seconds`. @throws when wrk fails. */
export async function runLoad(
  processes: BenchProcesses,
  load: {
    readonly script: string;
    readonly url: string;
    readonly seconds: number;
    readonly connections: number;
    readonly processor: number | null;
  },
): Promise<LoadCounts> {
  const output = await processes.run(
    'wrk',
    [
      ...['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`],
      ...['-s', load.script, load.url],
    ],
    { processor: load.processor },
  );
  const line = output.split('\n').find((text) => text.startsWith(COUNTS_LINE));
  if (line === undefined) throw new Error(`wrk printed no counts:\n${output}`);
  return countsSchema.parse(JSON.parse(line.slice(COUNTS_LINE.length)));
}
