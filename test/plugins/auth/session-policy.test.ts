/** The session policy answers what its endpoint opens, and nothing else that the paths of the endpoint happen to match. */
import { expectError } from '../../support/answers.ts';
import { type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';

const FILE = 'gateway.config.yml';
const RESET =
  '  session-reset:\n    paths: /v1/auth/reset\n    methods: POST\n    access: public\n    origin: own\n    limits: [login]\n';
const LOGOUT =
  'paths: /v1/auth/logout\n    methods: POST\n    access: session\n    roles: [owner, admin, member, viewer]\n    endedSession: accepted\n';

describe('the session policy', () => {
  let gateway: LimitedGateway;
  before(async () => {
    gateway = await startLimitedGateway([
      [FILE, RESET, ''],
      [FILE, '      - session-reset\n', ''],
      [FILE, LOGOUT, 'paths: [/v1/auth/reset, "/v1/auth/:act"]\n    methods: POST\n    access: public\n'],
    ]);
  });
  after(() => gateway.close());

  it('answers the routes that its endpoint opens', async () => {
    expectError(await gateway.call('POST', '/v1/auth/reset', { body: {} }), 400, 'VALIDATION_ERROR');
    expectError(await gateway.call('POST', '/v1/auth/login', { body: {} }), 400, 'VALIDATION_ERROR');
  });

  it('answers 404 at every other, also where a parameter of the endpoint stands for it', async () => {
    expectError(await gateway.call('POST', '/v1/auth/logout', { body: {} }), 404, 'NOT_FOUND');
    expectError(await gateway.call('POST', '/v1/auth/nothing', { body: {} }), 404, 'NOT_FOUND');
  });
});
