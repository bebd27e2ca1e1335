/** Asks a service of our own whether it is ready: that it lacks something is no failure, and is told. */
import { expect } from 'chai';
import { closeServer, listen, originOf } from '../../../../gateway/serve/http/listen.ts';
import { askBackend } from '../../../../services/shared/http/ask-backend.ts';
import { createServiceApp } from '../../../../services/shared/http/create-service-app.ts';
import {
  createServiceServer,
  type ServiceServer,
} from '../../../../services/shared/http/create-service-server.ts';
import type { ServicesInProcess } from '../../../../services/shared/http/service-exchange.ts';
import { createLogWatch } from '../../../support/log-watch.ts';

for (const way of ['on a connection', 'within the process'] as const) {
  describe(`the readiness of a service, asked ${way}`, () => {
    let service: ServiceServer;
    let inProcess: ServicesInProcess;
    let origin: string;
    let degraded: string[];
    let fault: Error | null;
    let isSilent: boolean;

    beforeEach(async () => {
      [degraded, fault, isSilent] = [[], null, false];
      service = createServiceServer(65_536);
      origin = originOf(await listen(service.server, 0, '127.0.0.1'));
      const app = createServiceApp({
        routes: [],
        ports: {},
        verifyIdentity: async () => null,
        logger: createLogWatch().logger,
        health: async () => {
          if (isSilent) await new Promise(() => {});
          if (fault !== null) throw fault;
        },
        shown: () => (degraded.length === 0 ? {} : { degraded }),
      });
      service.serve(app);
      inProcess = new Map(way === 'within the process' ? [[origin, app.answerInProcess]] : []);
    });
    afterEach(() => closeServer(service.server, 100));

    const ask = (timeoutMs = 2_000) =>
      askBackend(origin, { healthCheck: null, tls: null }, timeoutMs, inProcess);
    const read = async () => (await fetch(`${origin}/health/ready`)).json();

    it('is ok when nothing is wrong', async () => {
      expect(await ask()).to.deep.equal({
        path: '/health/ready',
        status: 200,
        fault: null,
        isDegraded: false,
      });
      expect(await read()).to.deep.equal({ status: 'ok' });
    });

    it('stays 200 and names what it lacks, and whoever asks learns that it is degraded', async () => {
      degraded = ['segments'];
      expect(await ask()).to.include({ status: 200, fault: null, isDegraded: true });
      expect(await read()).to.deep.equal({ status: 'ok', degraded: ['segments'] });
    });

    it('is down when it cannot work, whatever it lacks besides', async () => {
      [degraded, fault] = [['segments'], new Error('the store is gone')];
      const answer = await ask();
      expect([answer.status, answer.isDegraded]).to.deep.equal([503, false]);
      expect(answer.fault).to.be.instanceOf(Error);
    });

    it('is down when it says nothing in time', async () => {
      isSilent = true;
      const answer = await ask(50);
      expect([answer.status, answer.fault?.message]).to.deep.equal([null, 'no answer within 50 ms']);
    });
  });
}
