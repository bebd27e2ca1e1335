/** Fastify as a gateway of the nearest equal job: a key looked up by its hash, a scope, two counted windows, an identity, a proxy. */
import { createHash } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';

const { PORT, UPSTREAM_URL, API_KEY, LIMIT, IDENTITY_HEADER, IDENTITY } = process.env;
const hashOf = (key) => createHash('sha256').update(key).digest('hex');
/** By key as it comes, once its hash was found, as Tidegate remembers verdicts. */
const known = new Map();
const organizations = new Map([
  [hashOf(API_KEY), { organization: 'org_bench', scopes: ['read:data', 'track:events'], identity: IDENTITY }],
]);

function callerOf(key) {
  if (typeof key !== 'string') return undefined;
  const caller = known.get(key) ?? organizations.get(hashOf(key));
  if (caller !== undefined) known.set(key, caller);
  return caller;
}

const app = fastify({ logger: false });
// Bodies pass through as they come.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, body, done) => done(null, body));
app.decorateRequest('caller', null);
app.addHook('onRequest', (request, reply, done) => {
  const caller = callerOf(request.headers['x-api-key']);
  if (caller === undefined) return reply.code(401).send({ success: false, code: 'INVALID_API_KEY' });
  if (!caller.scopes.includes(request.routeOptions.config.scope))
    return reply.code(403).send({ success: false });
  request.caller = caller;
  done();
});
await app.register(replyFrom, { base: UPSTREAM_URL, undici: { connections: 64, pipelining: 1 } });
const keyGenerator = (request) => request.caller.organization;
await app.register(rateLimit, { global: true, max: Number(LIMIT), timeWindow: 60_000, keyGenerator });
const per10Seconds = app.createRateLimit({ max: Number(LIMIT), timeWindow: 10_000, keyGenerator });

const rewriteRequestHeaders = ({ caller }, headers) => ({ ...headers, [IDENTITY_HEADER]: caller.identity });
async function pass(request, reply) {
  const counted = await per10Seconds(request);
  if (!counted.isAllowed && counted.isExceeded) return reply.code(429).send({ success: false });
  return reply.from(request.url, { rewriteRequestHeaders });
}
app.get('/v1/query/websites', { config: { scope: 'read:data' } }, pass);
app.post('/track', { config: { scope: 'track:events' } }, pass);

await app.listen({ host: '127.0.0.1', port: Number(PORT) });
// An orderly end, so that a CPU profile is written.
process.on('SIGTERM', () => process.exit(0));
