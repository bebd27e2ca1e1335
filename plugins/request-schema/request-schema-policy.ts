/** Refuses bodies that are not the JSON which a backend expects, before they reach it. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { wrongType } from '../../services/shared/errors/media-faults.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import type { ParameterFault } from '../kit/policy.ts';
import { compileSchema } from './compile-schema.ts';
import { judgeBody } from './judge-body.ts';
import { isJson, typeOf } from './media-type.ts';
import { pointerOf, SchemaFault } from './schema-fault.ts';
import { type FoundSchema, readDocument, schemaOfOperation } from './schema-source.ts';

/** Methods whose requests need no body, whatever the schema says. */
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE', 'OPTIONS'];

const file = z.string().refine(isAbsolute, 'must be an absolute path, such as /etc/tidegate/orders.json');

const requestSchemaParams = z
  .strictObject({
    schema: z
      .record(z.string(), z.json())
      .optional()
      .describe('The JSON Schema (draft 2020-12) of the body.'),
    file: file.optional().describe('The file with it, JSON or YAML. Read at the start and at a reload.'),
    openapi: z
      .strictObject({
        file: file.describe('The file with the OpenAPI document, 3.0 or 3.1, JSON or YAML.'),
        operations: z
          .record(z.string(), z.string().min(1))
          .describe('For each endpoint of the pipeline the operationId whose body is meant.'),
      })
      .optional()
      .describe('An OpenAPI document in place of a schema.'),
    required: z
      .boolean()
      .optional()
      .describe(
        'Whether a body must come, with methods other than GET, HEAD, DELETE and OPTIONS. Default: what the operation says, else true.',
      ),
    others: z
      .enum(['refuse', 'pass'])
      .default('refuse')
      .describe('What happens to bodies that are no JSON by their Content-Type. Default refuse.'),
  })
  .refine(
    ({ schema, file, openapi }) => [schema, file, openapi].filter((one) => one !== undefined).length === 1,
    'needs exactly one of schema, file and openapi',
  );

type Params = z.infer<typeof requestSchemaParams>;

/** Applies to every endpoint that is not named. */
const EVERY = '';

/** The schemas by endpoint. @throws SchemaFault */
function schemasOf({ schema, file: path, openapi }: Params): Map<string, FoundSchema> {
  if (openapi === undefined) {
    const root = schema ?? readDocument(path ?? '');
    return new Map([[EVERY, { root, start: [], required: true }]]);
  }
  const root = readDocument(openapi.file);
  return new Map(
    Object.entries(openapi.operations).map(([name, id]) => [name, schemaOfOperation(root, id)] as const),
  );
}

/** A fault of a schema at its place: in the configuration itself, or in the file that it names. */
function placed({ schema, file: path, openapi }: Params, fault: SchemaFault): ParameterFault {
  if (schema !== undefined) return { path: ['schema', ...fault.steps], text: fault.message };
  const name = path ?? openapi?.file ?? '';
  return {
    path: path === undefined ? ['openapi', 'file'] : ['file'],
    text: `${name}${fault.steps.length === 0 ? '' : `#${pointerOf(fault.steps)}`}: ${fault.message}`,
  };
}

export const requestSchemaPolicy = defineGatewayPolicy({
  name: 'request-schema',
  schema: requestSchemaParams,
  unconditional: true,
  reads({ file: path, openapi }) {
    if (path !== undefined) return [{ path: ['file'], location: path, expected: 'a JSON Schema' }];
    if (openapi === undefined) return [];
    return [{ path: ['openapi', 'file'], location: openapi.file, expected: 'an OpenAPI document' }];
  },
  check(params, place) {
    const faults: ParameterFault[] = [];
    try {
      for (const { root, start } of schemasOf(params).values()) compileSchema(root, start);
    } catch (fault) {
      if (!(fault instanceof SchemaFault)) throw fault;
      faults.push(placed(params, fault));
    }
    const { openapi } = params;
    const names = place.endpoints.map(({ name }) => name);
    const unknown = Object.keys(openapi?.operations ?? {}).filter((name) => !names.includes(name));
    for (const name of unknown) {
      const path = ['openapi', 'operations', name];
      const text = `"${name}" is no endpoint of this pipeline`;
      faults.push({ path, text, came: name, allowed: names });
    }
    for (const name of names.filter((each) => openapi !== undefined && !openapi.operations[each]))
      faults.push({ path: ['openapi', 'operations'], text: `names no operation for the endpoint "${name}"` });
    if (!place.before.includes('rate-limit'))
      faults.push({
        path: [],
        text: 'stands before "rate-limit": bodies that it refuses would go uncounted',
      });
    if (!place.readsBodies) {
      const text = 'needs whole bodies: write "body" before it with { read: whole }';
      faults.push({ path: [], text });
    }
    return faults;
  },
  explain({ schema, file: path, openapi, others }) {
    const source = schema !== undefined ? 'its schema' : (path ?? `the operations of ${openapi?.file}`);
    const rest = others === 'refuse' ? 'refuses other bodies' : 'lets bodies pass that are no JSON';
    return `checks bodies of JSON by ${source}; ${rest}`;
  },
  create(params) {
    const { required, others } = params;
    const schemas = new Map(
      [...schemasOf(params)].map(([name, found]) => [
        name,
        { ...compileSchema(found.root, found.start), required: required ?? found.required },
      ]),
    );
    return function requestSchema(req, _res, next) {
      const { body, endpoint } = req.context;
      const schema = schemas.get(endpoint.name) ?? schemas.get(EVERY);
      if (schema === undefined) throw new Error(`no schema for the endpoint ${endpoint.name}`);
      if (body === null || body.length === 0) {
        const isMissing = schema.required && !WITHOUT_BODY.includes(req.method);
        next(isMissing ? validationError([{ field: 'body', message: 'This is missing.' }]) : undefined);
        return;
      }
      const type = typeOf(req);
      if (isJson(type)) next(judgeBody(body, schema) ?? undefined);
      else if (others === 'pass' && type !== null) next();
      else next(wrongType(req.headers['content-type'] ?? '', ['application/json']));
    };
  },
});
