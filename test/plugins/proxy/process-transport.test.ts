/** The transport within the process: what every transport guarantees, without a connection. */
import { expect } from 'chai';
import { ProcessTransport } from '../../../plugins/proxy/process-transport.ts';
import { ParsedBody } from '../../../services/shared/http/parsed-body.ts';
import { IDENTITY_HEADER } from '../../../services/shared/identity/identity-token.ts';
import { transportContract } from '../../contract/transport.contract.ts';
import { createTransportService, RecordingHandler, TOKEN } from '../../support/transport-service.ts';

describe('the transport within the process', () => {
  transportContract(async (app, bounds) => {
    const transport = new ProcessTransport(app.answerInProcess, bounds);
    return { transport, close: () => transport.destroy() };
  });

  it('hands on what was parsed of these very bytes, once; other bytes are parsed', async () => {
    const { app } = createTransportService();
    const transport = new ProcessTransport(app.answerInProcess, { timeoutMs: 15_000 });
    const body = Buffer.from('{"from":"bytes"}');
    const parsed = new ParsedBody(body, { from: 'before' });
    const echo = async (sent: Buffer) => {
      const handler = new RecordingHandler();
      const headers = ['content-type', 'application/json', IDENTITY_HEADER, TOKEN];
      transport.dispatch({ method: 'POST', path: '/echo', headers, body: sent, parsed }, handler);
      return JSON.parse((await handler.over).text).body;
    };
    expect(await echo(Buffer.from(body))).to.deep.equal({ from: 'bytes' });
    expect(await echo(body)).to.deep.equal({ from: 'before' });
    expect(await echo(body), 'who took it may have changed it').to.deep.equal({ from: 'bytes' });
    await transport.destroy();
  });

  it('fails what is sent once it is destroyed', async () => {
    const { app, seen } = createTransportService();
    const transport = new ProcessTransport(app.answerInProcess, { timeoutMs: 1_000 });
    await transport.destroy();
    const handler = new RecordingHandler();
    transport.dispatch({ method: 'GET', path: '/bytes', headers: [] }, handler);
    expect([(await handler.over).fault?.code, seen.begun]).to.deep.equal(['UND_ERR_DESTROYED', 0]);
  });
});
