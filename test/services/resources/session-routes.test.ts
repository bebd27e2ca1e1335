/** Holds every route of the resources service to what all of them promise: who may ask, and that writes are recorded. */
import { expect } from 'chai';
import { resourcesRoutes } from '../../../services/resources/routes.ts';
import { PUBLIC_CALLER } from '../../../services/shared/access/caller.ts';
import { createServiceApp } from '../../../services/shared/http/create-service-app.ts';
import type { Role } from '../../../services/shared/model/user.ts';
import {
  KEY_CALLER,
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../../support/start-resources-service.ts';

describe('session-only routes of the resources service', () => {
  let service: ResourcesService;

  before(async () => {
    service = await startResourcesService();
  });
  after(() => service.close());

  it('leave an audit record with every write: no route that writes is without its name for it', () => {
    const silent = resourcesRoutes.filter(
      ({ method, audit }) => (method === 'GET') !== (audit === undefined),
    );
    // It gives a ticket, and stores nothing.
    expect(silent.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      'POST /public/v1/shares/:token/unlock',
    ]);
  });

  it('cannot be served by an app that stores no audit records', () => {
    const create = () =>
      createServiceApp({
        routes: resourcesRoutes,
        ports: {} as never,
        verifyIdentity: async () => null,
        logger: {} as never,
        health: async () => {},
      });
    expect(create).to.throw('createWebsite leaves audit records, but nothing stores them');
  });

  for (const route of resourcesRoutes.filter(({ rule }) => rule !== 'public' && 'roles' in rule)) {
    const path = route.path.replace(':id', 'some_id');
    const options = route.body ? { body: route.body.example } : {};

    const roles = 'roles' in Object(route.rule) ? (route.rule as { roles: readonly Role[] }).roles : [];

    it(`refuse everybody but ${roles.join(', ')} on ${route.method} ${route.path}, and change nothing`, async () => {
      const before = service.documents.text();
      const others = (['member', 'viewer'] as const).filter((role) => !roles.includes(role));
      for (const caller of [KEY_CALLER, ...others.map((role) => sessionOf(role))]) {
        const answer = await service.ask(caller, route.method, path, options);
        expect([answer.status, answer.body.code], caller.id).to.deep.equal([403, 'ACCESS_DENIED']);
      }
      for (const caller of [null, PUBLIC_CALLER]) {
        const answer = await service.ask(caller, route.method, path, options);
        expect([answer.status, answer.body.code]).to.deep.equal([401, 'AUTH_REQUIRED']);
      }
      const homeless = sessionOf('owner', { organizationId: null });
      expect((await service.ask(homeless, route.method, path, options)).status).to.be.oneOf([400, 403]);
      expect(service.documents.text()).to.equal(before);
    });

    it(`answer another method on ${route.path} than ${route.method} and its siblings with METHOD_NOT_ALLOWED`, async () => {
      const answer = await service.ask(sessionOf('owner'), 'PUT', path);
      expect([answer.status, answer.body.code]).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')).to.include(route.method);
    });
  }
});
