/** No answer that carries a secret is compressed: its length would tell of it (BREACH). */
import { expect } from 'chai';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import { isCompressible } from '../../../plugins/proxy/compression.ts';
import { resourcesRoutes } from '../../../services/resources/routes.ts';
import { type Document, describedBy, shippedConfiguration } from '../../support/shipped-description.ts';

/** Names of properties that hold one. */
const SECRET = /"(?:secret|token|ticket|password|refreshToken|accessToken)":/;

/** Paths that show a dot for every character of a secret but the last four. */
const MASKED = /^\/v1\/integrations(?:\/|$)/;

/** Routes whose answers say that nobody may change them. */
const FORBIDDING: ReadonlySet<string> = new Set(
  resourcesRoutes.flatMap(({ method, path, success }) => (success.holdsSecret ? [`${method} ${path}`] : [])),
);

/** Operations of the document whose answer of success has such a property. */
function withSecrets({ paths, components }: Document): [method: string, path: string][] {
  /** With what it refers to in place; what refers to itself stands there once. */
  const expanded = (value: unknown, above: readonly string[] = []): string =>
    JSON.stringify(value).replace(
      /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g,
      (_, kind: string, name: string) =>
        `"of":${above.includes(name) ? 'null' : expanded(components[kind]?.[name] ?? null, [...above, name])}`,
    );
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const schemas = successes.map(([, response]) => ('content' in response ? response.content : null));
      return SECRET.test(expanded(schemas)) ? [[method.toUpperCase(), path] as [string, string]] : [];
    }),
  );
}

describe('answers with a secret', () => {
  it('come from endpoints with access: session, from the gateway itself, which compresses none, or from routes that forbid it', async () => {
    const configuration = await shippedConfiguration();
    const { endpoints, pipelines } = configuration;
    const found = withSecrets(describedBy(configuration));
    expect(found.map((each) => each.join(' '))).to.include.members([
      'POST /v1/api-keys',
      'POST /v1/api-keys/{id}/rotate',
      'POST /v1/members',
    ]);
    for (const [method, path] of found) {
      if (MASKED.test(path)) continue;
      const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
      const endpoint = endpoints.find(
        ({ paths, methods }) => paths.includes(pattern) && (methods?.some((each) => each === method) ?? true),
      );
      const steps = pipelines.find(({ name }) => name === endpoint?.pipeline)?.steps ?? [];
      const isProxied = steps.some(({ policy }) => policy === 'proxy');
      const forbidsIt = FORBIDDING.has(`${method} ${pattern}`);
      expect(endpoint?.access === 'session' || !isProxied || forbidsIt, `${method} ${path}`).to.equal(true);
    }
  });

  it('are never compressible where the endpoint is for sessions', () => {
    const judge = (access: string) => {
      const req = { context: { endpoint: { access } } } as GatewayRequest;
      return isCompressible(req, 201, { 'content-type': 'application/json', 'content-length': '5000' });
    };
    expect(judge('session')).to.equal(false);
    expect(judge('scoped')).to.equal(true);
  });
});
