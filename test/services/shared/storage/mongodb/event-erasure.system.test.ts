/** Erasure reads a bounded part of an index in each step, and never the same part twice, however few events are selected. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import type { EventSelection } from '../../../../../services/shared/ports/event-store.ts';
import { eraseEvents } from '../../../../../services/shared/storage/mongodb/event-erasure.ts';
import { EVENT_INDEXES } from '../../../../../services/shared/storage/mongodb/event-indexes.ts';
import { migrate } from '../../../../../services/shared/storage/mongodb/migrate.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';

/** Events looked at per step. */
const AT_ONCE = 10;
const OF_WEBSITE = { organizationId: 'org_1', websiteId: 'web_1', anonymousId: null };

interface Command {
  readonly name: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly skip: number | undefined;
  readonly limit: number | undefined;
}

describe('an erasure on MongoDB', () => {
  const mongodb = useMongodb();
  let connection: Connection;
  let commands: Command[];

  beforeEach(async () => {
    const uri = new URL(mongodb.newUri());
    uri.searchParams.set('monitorCommands', 'true');
    connection = await openConnection(uri.href, { appName: 'tidegate-test' });
    await migrate(connection);
    commands = [];
    connection.getClient().on('commandStarted', ({ commandName: name, command }) => {
      if (name === 'find') commands.push({ name, ...(command as Omit<Command, 'name'>) });
      if (name === 'delete')
        commands.push({ name, skip: undefined, limit: undefined, filter: command.deletes[0].q });
    });
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  /** 35 events of a website, seven at each of five instants; every fifth of the visitor anna and the person p. */
  async function store(): Promise<void> {
    const events = Array.from({ length: 35 }, (_, index) => ({
      organization_id: 'org_1',
      website_id: 'web_1',
      timestamp: 1_000 + Math.floor(index / 7),
      ...(index % 5 === 0 ? { anonymous_id: 'anna', profile_id: 'p' } : { anonymous_id: `v${index}` }),
    }));
    await connection.collection('events').insertMany(events);
  }
  const left = () => connection.collection('events').countDocuments();
  const erase = (selection: EventSelection, signal?: AbortSignal) => {
    const { db } = connection;
    if (db === undefined) throw new Error('the connection is closed');
    return eraseEvents(db, selection, { atOnce: AT_ONCE, signal });
  };
  const finds = () => commands.filter(({ name }) => name === 'find');
  const deletions = () => commands.filter(({ name }) => name === 'delete');
  /** The range of time of each deletion. */
  const ranges = () => deletions().map(({ filter }) => filter.timestamp);

  it('of few among many walks the whole website once, in steps of a bounded size', async () => {
    await store();
    expect(await erase({ ...OF_WEBSITE, profileId: 'p' })).to.equal(7);
    expect(await left()).to.equal(28);
    expect(finds().every(({ skip, limit }) => skip === AT_ONCE - 1 && limit === 1)).to.equal(true);
    // The tenth event from each place on is of the second, fourth and no further instant.
    expect(ranges()).to.deep.equal([{ $lte: 1_001 }, { $gt: 1_001, $lte: 1_003 }, { $gt: 1_003 }]);
    for (const { filter } of finds())
      expect(Object.keys(filter)).to.include('website_id').and.not.include('profile_id');
  });

  it('before an instant walks no further than that', async () => {
    await store();
    expect(
      await erase({ organizationId: 'org_1', websiteId: null, anonymousId: null, before: 1_003 }),
    ).to.equal(21);
    expect(await left()).to.equal(14);
    expect(ranges()).to.deep.equal([
      { $lt: 1_003, $lte: 1_001 },
      { $gt: 1_001, $lt: 1_003 },
    ]);
  });

  it('of one instant that has more events than a step ends', async () => {
    const events = Array.from({ length: 25 }, () => ({
      organization_id: 'org_1',
      website_id: 'web_1',
      timestamp: 7,
    }));
    await connection.collection('events').insertMany(events);
    expect(await erase(OF_WEBSITE)).to.equal(25);
    expect(ranges()).to.deep.equal([{ $lte: 7 }, { $gt: 7 }]);
  });

  it('of a visitor finds the events by website and visitor, for which there is an index', async () => {
    await store();
    expect(await erase({ ...OF_WEBSITE, anonymousId: 'anna' })).to.equal(7);
    expect(await left()).to.equal(28);
    const index = EVENT_INDEXES.find(({ name }) => name === 'website_visitor');
    expect(Object.keys(index?.key ?? {})).to.deep.equal(['website_id', 'anonymous_id']);
    for (const { filter, limit } of finds()) {
      expect(filter).to.include({ website_id: 'web_1', anonymous_id: 'anna' });
      expect(limit).to.equal(AT_ONCE);
    }
  });

  it('that is ended between two steps says so, and may be repeated', async () => {
    await store();
    const ended = new AbortController();
    connection.getClient().on('commandSucceeded', ({ commandName }) => {
      if (commandName === 'delete') ended.abort(new Error('ended'));
    });
    expect(String(await rejection(erase(OF_WEBSITE, ended.signal)))).to.equal('Error: ended');
    expect(await left()).to.equal(21);
    expect(await erase(OF_WEBSITE)).to.equal(21);
  });
});
