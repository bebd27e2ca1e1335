/** The connection to MongoDB: what it demands of writes, where it goes, and what it says when nobody answers. */
import { expect } from 'chai';
import { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import {
  type EventDocument,
  toEventDocument,
  toEventRecord,
} from '../../../../../services/shared/storage/mongodb/event-document.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { answering } from '../../../../../services/shared/storage/mongodb/outage.ts';
import { fullEventRecord } from '../../../../contract/event-store.contract.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { freePort } from '../../../../support/free-port.ts';
import { useOwnMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('a connection to MongoDB', () => {
  const mongodb = useOwnMongodb({ durable: true });

  it('waits for a majority with its journal at every write, in the database that the string names', async () => {
    const uri = mongodb.newUri();
    const connection = await openConnection(uri, { appName: 'tidegate-test' });
    try {
      expect(uri).to.match(new RegExp(`/${connection.name}$`));
      expect(connection.getClient().writeConcern).to.include({ w: 'majority', journal: true });
    } finally {
      await connection.dropDatabase();
      await connection.close();
    }
  });

  it('demands that also where the connection string asks for less', async () => {
    for (const weaker of ['w=0', 'w=1', 'journal=false', 'w=1&journal=false']) {
      const connection = await openConnection(`${mongodb.newUri()}?${weaker}`, { appName: 'tidegate-test' });
      const demanded = connection.getClient().writeConcern;
      await connection.close();
      expect(demanded, weaker).to.include({ w: 'majority', journal: true });
    }
  });

  it('keeps what was acknowledged over a kill of the server', async function () {
    if (mongodb.kind === 'given') this.skip();
    const uri = mongodb.newUri();
    const before = await openConnection(uri, { appName: 'tidegate-test' });
    await before.collection('things').insertOne({ text: 'there' });
    await mongodb.kill();
    const fault = await rejection(answering(() => before.collection('things').countDocuments()));
    expect(fault).to.be.instanceOf(ApiError).and.include({ kind: 'SERVICE_UNAVAILABLE' });
    await before.destroy();
    await mongodb.start();
    const after = await openConnection(uri, { appName: 'tidegate-test' });
    expect(await after.collection('things').countDocuments({ text: 'there' })).to.equal(1);
    await after.close();
  });

  it('names the hosts that do not answer, and no password', async () => {
    const port = await freePort();
    const uri = `mongodb://somebody:secret-word@127.0.0.1:${port}/db`;
    const fault = await rejection(openConnection(uri, { appName: 'tidegate-test' }));
    expect(String(fault)).to.contain(`MONGODB_URI: no server of 127.0.0.1:${port} answers`);
    expect(String(fault)).to.not.contain('secret-word');
  });

  it('says what is to be mended when servers are there: the string, the credentials, the replica set', async () => {
    const faultOf = async (uri: string) =>
      String(await rejection(openConnection(uri, { appName: 'tidegate-test' })));
    const uri = mongodb.newUri();
    const more = uri.includes('?') ? '&' : '?';
    expect(await faultOf(`${uri}${more}replicaset=x&unheard=1`)).to.match(
      /MONGODB_URI: this connection string cannot be used \(.*unheard/,
    );
    for (const wrong of [
      'mongodb+srv://a.example.com:27017/db',
      `${uri}${more}tls=true&tlsCAFile=/no/such/file`,
    ])
      expect(await faultOf(wrong)).to.contain('MONGODB_URI: this connection string cannot be used (');
    const stranger = uri.replace(/\/\/(?:[^@/]*@)?/, '//somebody:secret-word@');
    expect(await faultOf(stranger))
      .to.contain(' refuses (')
      .and.not.contain('secret-word');
    const otherSet = await faultOf(`${uri.replace(/\?.*/, '')}?replicaSet=nobodys`);
    expect(otherSet).to.contain('is nobodys the name of the replica set, has it a primary');
  });

  it('tells nothing of a password that is not percent-encoded, whatever it looks like', async () => {
    for (const password of [
      'secret/word',
      'secret?word',
      'secret#word',
      'secret@word',
      'sec:ret/1',
      '17/secret',
    ]) {
      const uri = `mongodb://somebody:${password}@127.0.0.1:1/db`;
      const text = String(await rejection(openConnection(uri, { appName: 'tidegate-test' })));
      expect(text).to.match(/MONGODB_URI: (?:no server.* answers|this connection string cannot be used)/);
      expect(text, password).to.not.match(/secret|somebody|sec:|17|word@/);
    }
  });
});

describe('the document of an event', () => {
  it('is the event again when it is read', () => {
    for (const event of [
      fullEventRecord(),
      eventRecord({ website_id: null, properties: '{}' }),
      eventRecord({}),
    ]) {
      expect(toEventRecord(toEventDocument(event))).to.deep.equal(event);
    }
  });

  it('of an earlier version, which had further fields, is the event too', () => {
    const event = eventRecord({ properties: '{"plan":"pro"}', href: 'https://example.com/x' });
    const further = { pairs: [{ k: 'plan', v: 'pro' }], href_host: 'example.com' };
    const document = { ...toEventDocument(event), ...further } as unknown as EventDocument;
    expect(toEventRecord(document)).to.deep.equal(event);
  });
});
