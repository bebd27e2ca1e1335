/** Makes an express-gateway plugin manifest of policies: the zod schema beside a policy is the one description of its parameters. */
import { z } from 'zod';
import { toApiError } from '../errors/api-error.ts';
import type { GatewayRequest, GatewayResponse, Next, PolicyHandler } from './request-context.ts';
import { type ExpressApp, type GatewayRuntime, runtimeOf } from './runtime.ts';

/** A policy as a plugin declares it. */
export interface PolicyDefinition<Params = unknown> {
  /** Its name in the YAML. */
  readonly name: string;
  /** What its `action` may say: a strict object, every field described. */
  readonly schema: z.ZodType<Params>;
  /** Makes the request function once per distinct parameters; throws when they cannot work. */
  create(params: Params, runtime: GatewayRuntime): PolicyHandler;
}

/** What express-gateway gives `init`. */
interface PluginContext {
  readonly config: object;
  registerPolicy(policy: {
    name: string;
    schema: Record<string, unknown>;
    policy: (params: Record<string, unknown>) => EgPolicyHandler;
  }): void;
  registerGatewayRoute(register: (app: ExpressApp) => void): void;
}

/** What EG mounts; `direct` is the policy itself, which the dispatch table calls without this step. */
export interface EgPolicyHandler {
  (req: EgRequest, res: GatewayResponse, next: Next): void;
  readonly direct: PolicyHandler;
}

interface EgRequest extends GatewayRequest {
  readonly egContext: { readonly apiEndpoint: { readonly apiEndpointName: string } };
}

/** The exports of a plugin's manifest. */
export interface PluginManifest {
  /** The EG plugin interface that it speaks. */
  readonly version: string;
  /** JSON schema of its settings in system.config.yml. */
  readonly schema: Record<string, unknown>;
  /** Read by the configuration check, before EG sees anything. */
  readonly policies: readonly PolicyDefinition[];
  init(context: PluginContext): void;
}

const ID = 'https://tidegate.dev/schemas';

/** Declares a policy with its parameter type inferred from the schema. */
export function definePolicy<Params>(definition: PolicyDefinition<Params>): PolicyDefinition {
  return definition as unknown as PolicyDefinition;
}

/** The manifest of a plugin: `export const { version, schema, policies, init } = definePlugin(…)`. */
export function definePlugin(name: string, policies: readonly PolicyDefinition[]): PluginManifest {
  return {
    version: '1.2.0',
    schema: { $id: `${ID}/plugins/${name}.json`, type: 'object' },
    policies,
    init(context) {
      const runtime = runtimeOf(context.config);
      for (const definition of policies) {
        context.registerPolicy({
          name: definition.name,
          schema: egSchema(definition),
          policy: (params) => forExpress(instance(definition, params, runtime), runtime),
        });
      }
      context.registerGatewayRoute((app) => runtime.captureExpress(app));
    },
  };
}

/** EG adds a function to every action, so its copy of the schema must be open; the strict check ran before. */
function egSchema(definition: PolicyDefinition): Record<string, unknown> {
  const {
    $schema: _,
    additionalProperties: __,
    ...schema
  } = z.toJSONSchema(definition.schema, { io: 'input' });
  return { ...schema, $id: `${ID}/policies/${definition.name}.json` };
}

/** On express the endpoint is known by EG only: it is put on the context before the policy runs. */
function forExpress(direct: PolicyHandler, runtime: GatewayRuntime): EgPolicyHandler {
  const mounted = (req: EgRequest, res: GatewayResponse, next: Next): void => {
    const endpoint = runtime.endpoints.get(req.egContext.apiEndpoint.apiEndpointName);
    if (!endpoint) throw new Error(`no rule for endpoint ${req.egContext.apiEndpoint.apiEndpointName}`);
    req.context.endpoint = endpoint;
    const onward: Next = (error) => {
      const counted = error !== undefined && error !== null && req.context.takesAsRefusal(toApiError(error));
      next(counted ? undefined : error);
    };
    const promise = direct(req, res, onward);
    if (promise) promise.catch(onward);
  };
  return Object.assign(mounted, { direct });
}

/** The request function for these parameters, made once per gateway. */
function instance(
  definition: PolicyDefinition,
  params: Record<string, unknown>,
  runtime: GatewayRuntime,
): PolicyHandler {
  const { getCommonAuthCallback: _, ...own } = params;
  const key = `${definition.name} ${JSON.stringify(own)}`;
  const known = runtime.policyInstances.get(key);
  if (known) return known as PolicyHandler;
  const handler = definition.create(definition.schema.parse(own), runtime);
  runtime.policyInstances.set(key, handler);
  return handler;
}
