/** What a plugin of a third party registers, found by running its `init` against a recorder; what cannot work here is refused. */
import { EventEmitter } from 'node:events';
import { z } from 'zod';
import { type Cursor, isMap } from './cursor.ts';
import { compileAsExpressGateway } from './express-gateway-schema.ts';
import type { OfferedCondition, OfferedPolicy } from './loaded-plugins.ts';
import type { ParameterSchema } from './schema-faults.ts';

export interface Registered {
  readonly policies: readonly OfferedPolicy[];
  readonly conditions: ReadonlyMap<string, OfferedCondition>;
}

interface RegisteredCondition {
  readonly name: string;
  readonly handler: (...parameters: unknown[]) => unknown;
  readonly schema?: unknown;
}

/** Hooks of express-gateway that have nothing to hook into, each with the reason. */
const REFUSED_HOOKS = {
  registerGatewayRoute: 'adds a route of its own, which no credential and no limit would guard',
  registerAdminRoute: 'adds a route to the administration API of express-gateway, which does not run here',
  registerCLIExtension: 'adds a command to the command line of express-gateway, which is not here',
} as const;

/** Null after a fault. `cursor`: where the package is named; `settings`: the plugin in system.config.yml. */
export function registeredBy(
  cursor: Cursor,
  settings: Cursor,
  init: (context: object) => unknown,
): Registered | null {
  const policies: OfferedPolicy[] = [];
  const conditions = new Map<string, OfferedCondition>();
  let isSound = true;
  const refuse = (text: string): void => {
    isSound = false;
    cursor.report(text, { candidates: [] });
  };
  const ignore = (): void => undefined;
  const hooks = Object.entries(REFUSED_HOOKS).map(([hook, reason]) => [
    hook,
    () => refuse(`the plugin calls ${hook}: it ${reason}`),
  ]);
  const context = {
    ...Object.fromEntries(hooks),
    settings: settings.value,
    config: { gatewayConfig: {}, systemConfig: {}, models: {} },
    services: noServices(),
    logger: { debug: ignore, verbose: ignore, info: ignore, warn: ignore, error: ignore },
    eventBus: new EventEmitter(),
    registerCondition: ({ name, handler, schema }: RegisteredCondition) => {
      if (isAsync(handler)) {
        refuse(`the condition "${name}" is asynchronous: express-gateway would take its promise for a yes`);
      } else conditions.set(name, { fault: (parameters) => conditionFault(handler, schema, parameters) });
    },
    registerPolicy({ name, schema }: { name: string; schema?: unknown }) {
      policies.push({
        name,
        schema: isMap(schema) ? foreignSchema(cursor, name, schema) : null,
        isForeign: true,
      });
    },
  };
  try {
    const result = init(context);
    if (result instanceof Promise) {
      result.catch(ignore);
      refuse("the plugin's init is asynchronous; express-gateway would not wait for it");
    }
  } catch (error) {
    refuse(`the plugin's init throws: ${reasonOf(error)}`);
  }
  return isSound ? { policies, conditions } : null;
}

/** Stands for the users, credentials and tokens of express-gateway. */
function noServices(): object {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (typeof name === 'symbol') return undefined;
        throw new Error(`services.${name} of express-gateway does not run here`);
      },
    },
  );
}

function isAsync(handler: unknown): boolean {
  return typeof handler === 'function' && handler.constructor.name === 'AsyncFunction';
}

/** A handler of two parameters judges a request; one of a single parameter makes such a function. */
function conditionFault(
  handler: RegisteredCondition['handler'],
  schema: unknown,
  parameters: Readonly<Record<string, unknown>>,
): string | null {
  try {
    const refusal = isMap(schema) ? compileAsExpressGateway(schema).refusal(parameters, {}) : null;
    if (refusal !== null) return `express-gateway refuses it: ${refusal}`;
    if (handler.length === 2) return null;
    const made = handler({ ...parameters });
    if (made instanceof Promise) {
      made.catch(() => undefined);
      return 'it is asynchronous, so the policy would run after later ones';
    }
    return isAsync(made) ? 'it is asynchronous: express-gateway would take its promise for a yes' : null;
  } catch (error) {
    return `it throws: ${reasonOf(error)}`;
  }
}

/** Parameters of a third-party policy must pass both here and in express-gateway, which validates them at startup. */
function foreignSchema(
  cursor: Cursor,
  policy: string,
  schema: Readonly<Record<string, unknown>>,
): ParameterSchema | null {
  try {
    const compiled = compileAsExpressGateway(schema);
    const own: z.ZodType = strictSchema(schema) ?? z.record(z.string(), z.unknown());
    return own.superRefine((value, context) => {
      if (context.issues.length > 0) return;
      const refusal = compiled.refusal(value as Readonly<Record<string, unknown>>);
      if (refusal !== null) context.addIssue(`express-gateway refuses them: ${refusal}`);
    });
  } catch (error) {
    const text = `express-gateway cannot read the schema of the policy "${policy}": ${reasonOf(error)}`;
    cursor.report(text, { candidates: [] });
    return null;
  }
}

/** Third-party schemas cannot forbid unknown keys (express-gateway adds one), so this check does it for them. */
function strictSchema(schema: Readonly<Record<string, unknown>>): z.ZodType | null {
  const open = !isMap(schema.properties) || schema.additionalProperties !== undefined;
  return schemaOfJson(open ? schema : { ...schema, additionalProperties: false });
}

/** A JSON schema as zod; null when zod cannot express it, and only express-gateway validates. */
export function schemaOfJson(schema: Readonly<Record<string, unknown>>): z.ZodType | null {
  const { $id: _, $schema: __, ...rest } = schema;
  try {
    return z.fromJSONSchema(rest as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null;
  }
}

export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split('\n')[0] ?? '';
}
