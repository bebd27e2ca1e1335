/** Validates with express-gateway's own Ajv what it will validate at startup, so that the check refuses what startup would. */
import { createRequire } from 'node:module';

type JsonSchema = Readonly<Record<string, unknown>>;
interface Ajv {
  compile(schema: JsonSchema): (value: unknown) => boolean;
  errorsText(errors: unknown): string;
}

/** Configured as express-gateway does it (lib/schemas), but silent: what it would log is reported as the fault. */
function createAjv(): Ajv {
  const load = createRequire(createRequire(import.meta.url).resolve('express-gateway'));
  const Constructor = load('ajv') as new (options: object) => Ajv;
  const ajv = new Constructor({ useDefaults: true, coerceTypes: true, verbose: true, logger: false });
  (load('ajv-keywords') as (ajv: Ajv, keyword: string) => void)(ajv, 'instanceof');
  return ajv;
}

/** The key that express-gateway adds to the parameters of every policy. */
const ADDED = { getCommonAuthCallback: () => undefined };

/** A compiled third-party schema. */
export interface ExpressGatewaySchema {
  /**
   * Why express-gateway would refuse these parameters; null if it accepts them. `added`: what it adds to them, to those of
   * a policy when absent.
   */
  refusal(parameters: Readonly<Record<string, unknown>>, added?: object): string | null;
}

/** Compiled schemas, cached: their modules stay loaded, and each check of a configuration uses them again. */
const compiled = new WeakMap<JsonSchema, ExpressGatewaySchema>();

/** The schema as express-gateway reads it. @throws Error if it cannot read it, which would end startup */
export function compileAsExpressGateway(schema: JsonSchema): ExpressGatewaySchema {
  const known = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, known);
  return known;
}

function compile(schema: JsonSchema): ExpressGatewaySchema {
  const ajv = createAjv();
  const validate = ajv.compile(schema) as ReturnType<Ajv['compile']> & { errors?: unknown };
  return {
    refusal: (parameters, added = ADDED) =>
      // Ajv writes defaults into the value that it validates.
      validate({ ...structuredClone(parameters), ...added }) ? null : ajv.errorsText(validate.errors),
  };
}
