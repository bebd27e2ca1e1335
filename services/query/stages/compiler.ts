/** The seam between plans and engines: the interface of a compiler, and which one serves which engine. */
import type { CompiledQuery } from '../../shared/ports/event-store.ts';
import { compileDuckDb } from './compile-duckdb.ts';
import { compileMongodb } from './compile-mongodb.ts';
import type { QueryPlan } from './query-plan.ts';

/**
 * Compiles a plan to the query of one engine, without looking at any data. The engine's rows have the names of {@link
 * rowNames} and hold only counts, integers and texts; groups without events may be absent.
 */
export type Compiler = (plan: QueryPlan) => CompiledQuery;

const COMPILERS: Readonly<Record<CompiledQuery['engine'], Compiler>> = {
  duckdb: compileDuckDb,
  mongodb: compileMongodb,
};

/** The compiler for an engine. */
export function compilerFor(engine: CompiledQuery['engine']): Compiler {
  return COMPILERS[engine];
}
