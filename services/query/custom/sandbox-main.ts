/** The process in which custom queries run: no secrets, no network, its own memory, one website's rows at a time. */
import '../../shared/process/no-inspector.ts';
import '../../shared/process/memory.ts';
import { createSandboxEngine, RowTooLarge } from '../../shared/storage/duckdb/sandbox-engine.ts';
import { guard } from './guard.ts';
import { RefusedQuery } from './guarded-query.ts';
import {
  type CheckedQuery,
  engineMemoryMb,
  type SandboxAnswer,
  type SandboxLimits,
  type SandboxRequest,
} from './sandbox-messages.ts';

/** A fault of the engine that the query caused; all others are our own. */
const QUERY_FAULT =
  /^(?:Binder|Catalog|Conversion|Invalid Input|Invalid Type|Mismatch Type|Not implemented|Out of Range|Parameter Not (?:Allowed|Resolved)|Parser|Serialization|Syntax|Constraint|Divide by Zero|Invalid) Error: /i;
/** A fault inside the engine that the query hit; the engine is unusable afterwards. */
const ENGINE_FAULT = /^(?:INTERNAL|FATAL) Error: /i;
/** A parameter in a place where the engine must know its value before it plans the query. */
const LONE_PARAMETER = /^Parameter Not Allowed Error: Parameter not supported in (.+) clause/i;
const MEMORY_FAULT = /^Out of Memory Error|bad.alloc|std::length_error|Failed to allocate/i;

async function main(): Promise<void> {
  const limits = JSON.parse(process.argv[2] ?? '{}') as SandboxLimits;
  const engine = await createSandboxEngine({ memoryMb: engineMemoryMb(limits), threads: limits.threads });
  let checked: string | null = null;

  async function check(sql: string): Promise<CheckedQuery> {
    checked = null;
    const tree = await engine.parse(sql);
    guard(readTree(tree));
    // Only what was judged runs: the text produced from the tree is parsed and judged again.
    const rendered = await engine.render(tree);
    const uses = guard(readTree(await engine.parse(rendered)));
    checked = rendered;
    return {
      views: [...uses.views],
      columns: uses.allColumns ? null : [...uses.columns],
      parameters: [...uses.parameters],
    };
  }

  async function answer(request: SandboxRequest): Promise<SandboxAnswer> {
    switch (request.kind) {
      case 'check':
        return { kind: 'checked', query: await check(request.sql) };
      case 'load':
        await engine.load(request.file, request.table, request.statements);
        return { kind: 'loaded' };
      case 'run': {
        if (checked === null) throw new Error('no query was judged');
        return { kind: 'result', result: await engine.run(checked, request.params, request.bounds) };
      }
    }
  }

  process.on('message', (request: SandboxRequest) => {
    answer(request)
      .catch((fault: unknown) => failed(fault, request.kind))
      .then((message) => {
        process.send?.(message);
        // Between queries, when nobody waits for it.
        if (request.kind === 'run') void engine.prepare();
      });
  });
  // The service is gone: nobody waits for what runs here, and it may be unable to end by itself.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.send?.({ kind: 'ready' } satisfies SandboxAnswer);
}

function readTree(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedQuery('Query: a number in it is too large.');
  }
}

function failed(fault: unknown, kind: SandboxRequest['kind']): SandboxAnswer {
  const text = fault instanceof Error ? fault.message : String(fault);
  if (fault instanceof RefusedQuery) return { kind: 'failed', reason: 'query', text };
  if (fault instanceof RowTooLarge) {
    return {
      kind: 'failed',
      reason: 'query',
      text: 'One row of the answer is larger than an answer may be.',
    };
  }
  if (MEMORY_FAULT.test(text)) return { kind: 'failed', reason: 'memory', text };
  if (kind !== 'load' && ENGINE_FAULT.test(text)) return { kind: 'failed', reason: 'engine', text };
  const isQueryFault = kind !== 'load' && QUERY_FAULT.test(text);
  return isQueryFault
    ? { kind: 'failed', reason: 'query', text: publicText(text) }
    : { kind: 'failed', reason: 'internal', text };
}

/** The engine's words without the text of the query, which the client sees in a different form. */
function publicText(text: string): string {
  const clause = LONE_PARAMETER.exec(text)?.[1];
  if (clause !== undefined) {
    return `${clause}: a parameter cannot stand alone here. Allowed: a column, a number of a column, or an expression that holds the parameter.`;
  }
  const [words = ''] = text.split(/\n+LINE \d+:/);
  return words.replaceAll(/\s*\n\s*/g, ' ').slice(0, 600);
}

await main();
