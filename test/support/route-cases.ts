/** The cases that every route must pass, whatever it does: each route's contract test calls them. */
import { expectError } from './answers.ts';
import {
  type CallOptions,
  newAddress,
  readAnswer,
  type TestKeys,
  type TestServer,
} from './start-tidegate.ts';

/** A route as its contract test names it. */
export interface RouteCase {
  readonly method: string;
  readonly path: string;
  /** Body of a call that succeeds. */
  readonly body?: unknown;
  /** Methods that the path does not answer. */
  readonly wrongMethods: readonly string[];
}

/** Security and method cases of a route that needs a scope. `lacking`: a live key without that scope. */
export function protectedRouteCases(
  server: () => TestServer,
  route: RouteCase,
  scope: string,
  lacking: keyof TestKeys,
): void {
  credentialCases(server, route);

  it(`refuses a key without ${scope} with 403 INSUFFICIENT_SCOPE, naming the scope`, async () => {
    const key = server().keys[lacking];
    const answer = await server().call(route.method, route.path, { body: route.body, key });
    expectError(answer, 403, 'INSUFFICIENT_SCOPE');
    if (!answer.body.error.includes(scope)) throw new Error(`${answer.body.error} does not name ${scope}`);
  });
}

/** Security and method cases of a route that only sessions of some roles may ask. */
export function sessionRouteCases(server: () => TestServer, route: RouteCase): void {
  credentialCases(server, route);

  for (const name of ['all', 'readOnly', 'trackOnly', 'shopOnly'] as const) {
    it(`refuses the live key ${name} with 403 ACCESS_DENIED: no key has what it takes`, async () => {
      const key = server().keys[name];
      const answer = await server().call(route.method, route.path, { body: route.body, key });
      expectError(answer, 403, 'ACCESS_DENIED');
    });
  }
}

/** Cases of every route that needs a credential of some kind. */
function credentialCases(server: () => TestServer, route: RouteCase): void {
  const call = (options: CallOptions) =>
    server().call(route.method, route.path, { body: route.body, ...options });

  it('answers 401 AUTH_REQUIRED without credentials', async () => {
    expectError(await call({}), 401, 'AUTH_REQUIRED');
  });

  it('takes an empty key header and a foreign scheme for no credentials', async () => {
    expectError(await call({ headers: { 'x-api-key': '' } }), 401, 'AUTH_REQUIRED');
    expectError(await call({ headers: { authorization: 'Basic dXNlcjpwYXNz' } }), 401, 'AUTH_REQUIRED');
    expectError(await call({ headers: { authorization: 'Bearer' } }), 401, 'AUTH_REQUIRED');
  });

  for (const kind of ['unknown', 'expired', 'revoked', 'disabled'] as const) {
    it(`refuses a key that is ${kind} with 401 INVALID_API_KEY`, async () => {
      const key = server().keys[kind];
      expectError(await call({ key }), 401, 'INVALID_API_KEY');
      expectError(await call({ headers: { authorization: `Bearer ${key}` } }), 401, 'INVALID_API_KEY');
    });
  }

  it('refuses a malformed key and one with a wrong check with 401 INVALID_API_KEY', async () => {
    const { all } = server().keys;
    const flipped = `${all.slice(0, -1)}${all.endsWith('0') ? '1' : '0'}`;
    for (const key of ['nonsense', flipped]) expectError(await call({ key }), 401, 'INVALID_API_KEY');
  });

  it('refuses two different keys with 401 INVALID_API_KEY', async () => {
    const { all, readOnly } = server().keys;
    expectError(
      await call({ key: all, headers: { authorization: `Bearer ${readOnly}` } }),
      401,
      'INVALID_API_KEY',
    );
  });

  it('answers a wrong method: 405 with Allow to a key, 401 to nobody', async () => {
    for (const method of route.wrongMethods) {
      expectError(
        await server().call(method, route.path, { key: server().keys.all }),
        405,
        'METHOD_NOT_ALLOWED',
      );
      expectError(await server().call(method, route.path), 401, 'AUTH_REQUIRED');
    }
  });

  limitCases(server, route);
}

/** Security and method cases of a route that nobody in particular may ask too, for the website of `naming`. */
export function keylessRouteCases(server: () => TestServer, route: RouteCase, naming: string): void {
  const call = (options: CallOptions, path = naming) =>
    server().call(route.method, path, { body: route.body, ...options });

  it('answers 401 AUTH_REQUIRED to nobody who names no website', async () => {
    expectError(await call({}, route.path), 401, 'AUTH_REQUIRED');
    expectError(await call({ headers: { 'x-api-key': '' } }, route.path), 401, 'AUTH_REQUIRED');
  });

  for (const kind of ['unknown', 'expired', 'revoked', 'disabled'] as const) {
    it(`refuses a key that is ${kind} with 401 INVALID_API_KEY, though nobody would be let in`, async () => {
      expectError(await call({ key: server().keys[kind] }), 401, 'INVALID_API_KEY');
    });
  }

  it('answers a wrong method with 405 and Allow, to a key and to nobody', async () => {
    for (const method of route.wrongMethods) {
      for (const options of [{ key: server().keys.all }, {}]) {
        expectError(await server().call(method, route.path, options), 405, 'METHOD_NOT_ALLOWED');
      }
    }
  });

  it('answers 429 to the 101st request of an address without a key within a minute', async () => {
    const address = newAddress();
    const calls = Array.from({ length: 101 }, () => call({ address }));
    const refused = (await Promise.all(calls)).filter((answer) => answer.status === 429);
    if (refused.length !== 1) throw new Error(`${refused.length} of 101 calls were refused`);
    for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
  });

  limitCases(server, route);
}

/** A used-up plan window answers 429 before anything else. */
function limitCases(server: () => TestServer, route: RouteCase): void {
  it('answers 429 RATE_LIMIT_EXCEEDED when the window of the plan is used up', async () => {
    const sixty = () =>
      Promise.all(
        Array.from({ length: 60 }, () =>
          server().call(route.method, route.path, { key: server().keys.free, body: route.body }),
        ),
      );
    const refusedAmong = async () => (await sixty()).find((answer) => answer.status === 429);
    // A window that ends among them admits more than one window holds; then the next one is full.
    const refused = (await refusedAmong()) ?? (await refusedAmong());
    if (!refused) throw new Error('60 calls were all admitted, twice');
    expectError(refused, 429, 'RATE_LIMIT_EXCEEDED');
  });
}

/** What a route reads. */
interface BodyOptions {
  readonly maxBytes: number;
  readonly acceptsText: boolean;
  /** The route reads the body as it comes, so that a chunked one is refused for its sender before its size is known. */
  readonly streamed?: true;
}

/** Cases of a route that reads a JSON body of at most `maxBytes`. */
export function bodyCases(server: () => TestServer, route: RouteCase, options: BodyOptions): void {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    server().call(route.method, route.path, { key: server().keys.all, body, headers });

  it('answers 400 VALIDATION_ERROR to malformed JSON', async () => {
    for (const body of ['{"a":', 'nonsense', '[1,']) expectError(await send(body), 400, 'VALIDATION_ERROR');
  });

  it('answers 400 VALIDATION_ERROR to an empty body and to JSON of another kind', async () => {
    for (const body of ['', '7', '"text"', 'null']) expectError(await send(body), 400, 'VALIDATION_ERROR');
  });

  bodyEnvelopeCases(server, route, options);
}

/** Size and type of a body, which the gateway judges before it asks who may send it. */
export function bodyEnvelopeCases(server: () => TestServer, route: RouteCase, options: BodyOptions): void {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    server().call(route.method, route.path, { key: server().keys.all, body, headers });

  it(`answers 413 PAYLOAD_TOO_LARGE to a body above the limit, announced${options.streamed ? '' : ' or chunked'}`, async () => {
    const tooLarge = `{"a":"${'x'.repeat(options.maxBytes)}"}`;
    expectError(await send(tooLarge), 413, 'PAYLOAD_TOO_LARGE');
    if (options.streamed) return;
    const response = await fetch(`${server().origin}${route.path}`, {
      method: route.method,
      headers: { 'x-api-key': server().keys.all, 'content-type': 'application/json' },
      body: new Blob([tooLarge]).stream(),
      duplex: 'half',
    } as RequestInit);
    expectError(await readAnswer(response), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('answers 415 UNSUPPORTED_MEDIA_TYPE to another type or charset', async () => {
    const types = ['application/xml', 'application/json; charset=iso-8859-1', 'multipart/form-data'];
    if (!options.acceptsText) types.push('text/plain');
    for (const type of types) {
      expectError(await send(route.body, { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
  });
}
