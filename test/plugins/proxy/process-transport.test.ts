/** The transport within the process: what every transport guarantees, without a connection. */
import { expect } from 'chai';
import { ProcessTransport } from '../../../plugins/proxy/process-transport.ts';
import { transportContract } from '../../contract/transport.contract.ts';
import { createTransportService, RecordingHandler } from '../../support/transport-service.ts';

describe('the transport within the process', () => {
  transportContract(async (app, bounds) => {
    const transport = new ProcessTransport(app.answerInProcess, bounds);
    return { transport, close: () => transport.destroy() };
  });

  it('fails what is sent once it is destroyed', async () => {
    const { app, seen } = createTransportService();
    const transport = new ProcessTransport(app.answerInProcess, { connections: 1, timeoutMs: 1_000 });
    await transport.destroy();
    const handler = new RecordingHandler();
    transport.dispatch({ method: 'GET', path: '/bytes', headers: [] }, handler);
    expect([(await handler.over).fault?.code, seen.begun]).to.deep.equal(['UND_ERR_DESTROYED', 0]);
  });
});
