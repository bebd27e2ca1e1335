/**
 * Makes an express-gateway plugin manifest from policies: a policy's zod schema is the only description of its
 * parameters.
 */
import { toApiError } from '../../services/shared/errors/api-error.ts';
import type { EgPluginContext, EgPolicyHandler, EgRequest } from './express-gateway-plugin.ts';
import type { PolicyDefinition } from './policy.ts';
import type { GatewayResponse, Next, PolicyHandler } from './request-context.ts';
import { type GatewayRuntime, runtimeOf } from './runtime.ts';

/** The exports of a plugin's manifest. */
export interface PluginManifest {
  /** The version of EG's plugin interface. */
  readonly version: string;
  /** JSON schema of its settings in system.config.yml. */
  readonly schema: Record<string, unknown>;
  /** Read by the configuration check, before EG sees anything. */
  readonly policies: readonly PolicyDefinition[];
  /** Called by EG. */
  init(context: object): void;
}

const ID = 'https://tidegate.dev/schemas';

/** Marks an `init` of this kit with the copy of Tidegate that it came from. */
const COPY = Symbol.for('tidegate.copy');

/**
 * The URL of the copy of Tidegate that made this `init`, if it is another one: this copy would not recognize its errors and
 * its runtime. A mark that is not text is foreign too. Null for our own, and for plugins that need no Tidegate.
 */
export function foreignCopyOf(init: unknown): string | null {
  const copy = (init as { readonly [COPY]?: unknown } | null)?.[COPY];
  if (copy === undefined || copy === import.meta.url) return null;
  return typeof copy === 'string' ? copy : `a ${typeof copy}`;
}

/** The manifest of a plugin: `export const { version, schema, policies, init } = definePlugin(…)`. */
export function definePlugin(name: string, policies: readonly PolicyDefinition[]): PluginManifest {
  function init(context: EgPluginContext): void {
    const runtime = runtimeOf(context.config);
    for (const definition of policies) {
      context.registerPolicy({
        name: definition.name,
        schema: egSchema(definition),
        policy: (params) => forExpress(policyInstance(definition, params, runtime), runtime),
      });
    }
    context.registerGatewayRoute((app) => runtime.captureExpress(app));
  }
  return {
    version: '1.2.0',
    schema: { $id: `${ID}/plugins/${name}.json`, type: 'object' },
    policies,
    init: Object.assign(init, { [COPY]: import.meta.url }) as PluginManifest['init'],
  };
}

/**
 * The schema of a policy's parameters for EG: a map, no more. EG's Ajv knows other formats than zod and would refuse at the
 * start what the check accepted; zod validates them, in the check and again in {@link policyInstance}.
 */
function egSchema(definition: PolicyDefinition): Record<string, unknown> {
  return { $id: `${ID}/policies/${definition.name}.json`, type: 'object' };
}

/** On express only EG knows the endpoint: it is put on the context before the policy runs. */
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

/** The request function for these parameters, made once per gateway. @throws ZodError when the schema refuses them */
export function policyInstance(
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
