/** The JSON Schemas of the files, for editors: made of the schemas that the checks use, the parameters of all shipped policies among them. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { provisioningSchemaOf } from '../../services/resources/provisioning/provisioning-file.ts';
import { plansFileSchema } from '../../services/shared/plans/plans.ts';
import { CONDITION_NAMES } from './check-conditions.ts';
import { isMap } from './cursor.ts';
import { gatewayShape, includeShape, systemShape } from './file-shapes.ts';
import { INCLUDE } from './merge-files.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The name of each schema below config/schemas, by the file that it is for. */
export const SCHEMA_FILES = {
  'gateway.config.yml': 'gateway.config.json',
  'system.config.yml': 'system.config.json',
  'plans.yml': 'plans.json',
  'provisioning.yml': 'provisioning.json',
} as const;
export type DescribedFile = keyof typeof SCHEMA_FILES;

/** A policy whose parameters a schema describes. */
export interface DescribedPolicy {
  readonly name: string;
  readonly schema: unknown;
}

/** Folder of the plugins that come with Tidegate. */
const PLUGINS = path.resolve(import.meta.dirname, '../../plugins');

/** The policies of every plugin that comes with Tidegate, by name. */
export async function shippedPolicies(): Promise<DescribedPolicy[]> {
  const manifests = readdirSync(PLUGINS)
    .map((name) => path.join(PLUGINS, name, 'manifest.js'))
    .filter((file) => existsSync(file));
  const loaded = await Promise.all(
    manifests.map(
      async (file) => (await import(pathToFileURL(file).href)) as { policies: DescribedPolicy[] },
    ),
  );
  const policies = loaded.flatMap((manifest) => manifest.policies);
  return policies.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The JSON Schema (draft 7) of a file, with the parameters of these policies. */
export function fileSchema(file: DescribedFile, policies: readonly DescribedPolicy[]): JsonSchema {
  const made = schemaOf(file, policies);
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: `${file} of Tidegate`, ...made };
}

function schemaOf(file: DescribedFile, policies: readonly DescribedPolicy[]): JsonSchema {
  if (file === 'gateway.config.yml') return withVariables(gatewaySchema(policies));
  if (file === 'system.config.yml') return withVariables(converted(systemShape));
  if (file === 'plans.yml') return withVariables(plansSchema());
  return provisioningSchema();
}

function gatewaySchema(policies: readonly DescribedPolicy[]): JsonSchema {
  const schema = converted(gatewayShape(z.unknown()));
  const pipelines = (schema.properties as Record<string, { additionalProperties: { properties: Tree } }>)
    .pipelines;
  if (pipelines === undefined) throw new Error('the schema has no pipelines');
  const { properties } = pipelines.additionalProperties;
  const definitions: Tree = {};
  const steps = policies.map(({ name, schema: parameters }) => {
    definitions[name] = stepSchema(movedTo(name, converted(parameters), definitions));
    return [name, oneOrMoreSteps({ $ref: `#/definitions/${name}` })];
  });
  const item = {
    type: 'object',
    properties: Object.fromEntries(steps),
    additionalProperties: oneOrMoreSteps(stepSchema({ type: 'object' })),
    minProperties: 1,
    maxProperties: 1,
  };
  properties.policies = { ...(properties.policies as Tree), items: item };
  return { ...schema, definitions };
}

/** The parameters of a policy, whose own definitions go to those of the whole, under names that begin with the policy's. */
function movedTo(policy: string, parameters: JsonSchema, definitions: Tree): JsonSchema {
  const { definitions: own = {}, ...schema } = parameters;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (!isMap(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) =>
        key === '$ref' && typeof inner === 'string'
          ? [key, inner.replace('#/definitions/', `#/definitions/${policy}.`)]
          : [key, moved(inner)],
      ),
    );
  };
  for (const [name, definition] of Object.entries(own as Tree)) {
    definitions[`${policy}.${name}`] = moved(definition);
  }
  return moved(schema) as JsonSchema;
}

type Tree = Record<string, unknown>;

function stepSchema(parameters: JsonSchema): JsonSchema {
  // Plugins add conditions of their own.
  const name = { anyOf: [{ enum: CONDITION_NAMES }, { type: 'string' }] };
  const condition = { type: 'object', required: ['name'], properties: { name } };
  return { type: 'object', properties: { action: parameters, condition }, additionalProperties: false };
}

/** What stands behind the name of a policy: nothing, one step, or a list of steps. */
function oneOrMoreSteps(step: JsonSchema): JsonSchema {
  return { anyOf: [{ type: 'null' }, step, { type: 'array', items: step, minItems: 1 }] };
}

/** Included files hold a part of the sections, so that none of them must be there. */
function plansSchema(): JsonSchema {
  const { required: _, properties, ...rest } = converted(plansFileSchema);
  const { limits, ...others } = properties as Record<string, Tree>;
  const { required: __, ...free } = limits ?? {};
  const include = converted(includeShape);
  return { ...rest, properties: { [INCLUDE]: include, ...others, limits: free } };
}

/** Stand in the places of names that a configuration decides, which an editor does not know. */
const ANY_PLAN = 'any-plan';
const ANY_SCOPE = 'any:scope';

function provisioningSchema(): JsonSchema {
  const names = { plans: [ANY_PLAN], scopes: [ANY_SCOPE], isReserved: () => false };
  const free = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(free);
    if (typeof value === 'string') return value.replaceAll(ANY_SCOPE, 'the scopes of the configuration');
    if (!isMap(value)) return value;
    const only = Array.isArray(value.enum) && value.enum.length === 1 ? value.enum[0] : value.const;
    if (only === ANY_PLAN) return { type: 'string', description: 'Name of a plan in plans.yml.' };
    if (only === ANY_SCOPE) return { type: 'string', description: 'Name of a scope.' };
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, free(one)]));
  };
  return free(converted(provisioningSchemaOf(names))) as JsonSchema;
}

function converted(schema: unknown): JsonSchema {
  const made = z.toJSONSchema(schema as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-7',
  });
  const { $schema: _, ...rest } = made as JsonSchema;
  return rest;
}

const VARIABLE = { type: 'string', pattern: '\\$\\{' };
/** Kinds of schema whose children are schemas, by name or in a list. */
const MAPS = ['properties', 'definitions'];
const LISTS = ['anyOf', 'oneOf', 'allOf'];
const SINGLE = ['items', 'additionalProperties'];

/** The same schema in which a text with variables may stand wherever a value must have a form. */
function withVariables(schema: JsonSchema): JsonSchema {
  const isFormed =
    ['number', 'integer', 'boolean'].includes(String(schema.type)) ||
    ['enum', 'const', 'pattern', 'format', 'minLength'].some((key) => key in schema);
  if (isFormed && schema.type !== 'object' && schema.type !== 'array') {
    const { description, default: preset, ...form } = schema;
    return {
      ...(description !== undefined && { description }),
      ...(preset !== undefined && { default: preset }),
      anyOf: [form, VARIABLE],
    };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (MAPS.includes(key) && isMap(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one)]))];
      }
      if (LISTS.includes(key) && Array.isArray(value)) return [key, value.map(inside)];
      return [key, SINGLE.includes(key) ? inside(value) : value];
    }),
  );
}

function inside(schema: unknown): unknown {
  return isMap(schema) ? withVariables(schema) : schema;
}
