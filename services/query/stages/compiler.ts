/** The seam between plans and engines: which names the rows of every engine carry, and who compiles for whom. */
import type { CompiledQuery } from '../../shared/ports/event-store.ts';
import { compileDuckDb } from './compile-duckdb.ts';
import type { Plan } from './plan.ts';

/**
 * From a plan to the query of one engine, without looking at any data. The engine's rows carry the names of
 * {@link rowNames} and hold counts, integers and texts only; groups without events may be absent.
 */
export type Compiler = (plan: Plan) => CompiledQuery;

const COMPILERS: Readonly<Partial<Record<CompiledQuery['engine'], Compiler>>> = { duckdb: compileDuckDb };

/** The compiler for an engine. @throws Error when there is none, at start. */
export function compilerFor(engine: CompiledQuery['engine']): Compiler {
  const compiler = COMPILERS[engine];
  if (!compiler) throw new Error(`No compiler for the event engine "${engine}".`);
  return compiler;
}
