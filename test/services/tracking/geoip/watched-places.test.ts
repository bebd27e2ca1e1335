/** The file of places at work: replaced while it is used, faulty at the start and later. */
import { renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { type WatchedPlaces, watchPlaces } from '../../../../services/tracking/geoip/watched-places.ts';
import { createLogWatch, type LogWatch } from '../../../support/log-watch.ts';
import { cityRecord, mmdb } from '../../../support/mmdb-writer.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';

const ADDRESS = '81.2.69.160';
const database = (city: string) => mmdb({ '81.2.69.0/24': cityRecord('GB', 'England', city) });

describe('the file of places', () => {
  let directory: TempDirectory;
  let path: string;
  let log: LogWatch;
  let places: WatchedPlaces | null;

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('places.mmdb');
    log = createLogWatch();
    places = null;
    writeFileSync(path, database('London'));
  });
  afterEach(() => {
    places?.close();
    directory.remove();
  });

  const open = async () => {
    places = await watchPlaces(path, log.logger);
    return places;
  };
  const replace = (content: Buffer) => {
    writeFileSync(`${path}.next`, content);
    renameSync(`${path}.next`, path);
  };

  it('is read anew when another is renamed into its place, and when it is written over', async () => {
    const { locate, check } = await open();
    expect(locate(ADDRESS).city).to.equal('London');
    replace(database('Leeds'));
    expect(locate(ADDRESS).city).to.equal('London');
    await check();
    expect(locate(ADDRESS).city).to.equal('Leeds');
    writeFileSync(path, database('Bath'));
    const { mtimeMs } = statSync(path);
    utimesSync(path, new Date(), new Date(mtimeMs + 2_000));
    await check();
    expect(locate(ADDRESS).city).to.equal('Bath');
    log.assertClean();
  });

  it('stays as it was, and says so once, while what took its place is faulty or nothing', async () => {
    const { locate, check } = await open();
    replace(database('Leeds').subarray(0, 200));
    await check();
    await check();
    expect(locate(ADDRESS).city).to.equal('London');
    unlinkSync(path);
    await check();
    await check();
    expect(locate(ADDRESS).city).to.equal('London');
    const faults = log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(faults.map(({ msg }) => msg)).to.deep.equal(
      Array(2).fill('the place database cannot be used: the previous one stays in use'),
    );
    replace(database('Leeds'));
    await check();
    expect(locate(ADDRESS).city).to.equal('Leeds');
    expect(log.lines.join('')).to.not.include(ADDRESS);
  });

  it('ends the start when it is faulty or missing, naming the file and the reason', async () => {
    writeFileSync(path, 'no database');
    expect(String(await rejection(watchPlaces(path, log.logger)))).to.match(
      /^Error: GEOIP_FILE=".*places\.mmdb" cannot be used: it is (not a MaxMind DB|damaged)/,
    );
    const missing = await rejection(watchPlaces(`${path}.none`, log.logger));
    expect(String(missing)).to.equal(
      `Error: GEOIP_FILE="${path}.none" cannot be used: there is no such file`,
    );
  });
});
