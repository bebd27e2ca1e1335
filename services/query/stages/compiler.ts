/** The seam between plans and engines: which names the rows of every engine carry, and who compiles for whom. */
import type { CompiledQuery } from '../../shared/ports/event-store.ts';
import { compileDuckDb } from './compile-duckdb.ts';
import { compileMongodb } from './compile-mongodb.ts';
import type { Plan } from './plan.ts';

/**
 * From a plan to the query of one engine, without looking at any data. The engine's rows carry the names of
 * {@link rowNames} and hold counts, integers and texts only; groups without events may be absent.
 */
export type Compiler = (plan: Plan) => CompiledQuery;

const COMPILERS: Readonly<Record<CompiledQuery['engine'], Compiler>> = {
  duckdb: compileDuckDb,
  mongodb: compileMongodb,
};

/** The compiler for an engine. */
export function compilerFor(engine: CompiledQuery['engine']): Compiler {
  return COMPILERS[engine];
}
