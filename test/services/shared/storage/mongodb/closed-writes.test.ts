/** The driver that closed-writes.ts patches: another one wants to be read first. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';

/** The driver that was read. A new one: see how `cleanup` ends a command and who waits for `drain`, then change these. */
const READ = {
  version: '7.8.0',
  cleanup: '6aca784b6cbf12fe',
  drain: '4db68e315891a8de',
};

describe('the driver whose waiting writers are woken up', () => {
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const text = readFileSync(ofMongoose.resolve('mongodb/lib/cmap/connection.js'), 'utf8');
  /** The text of a method of the class, from its name to the brace that closes it. */
  const digestOf = (name: string) => {
    const [method] = new RegExp(`^    (?:async )?${name}\\([^]*?^    \\}$`, 'm').exec(text) ?? [''];
    return hash('sha256', method).slice(0, 16);
  };

  it('has the version that was read', () => {
    expect((ofMongoose('mongodb/package.json') as { version: string }).version).to.equal(READ.version);
  });

  it('cleans up a closed connection as it did', () => {
    expect(digestOf('cleanup')).to.equal(READ.cleanup);
  });

  it('waits for drain after a write as it did', () => {
    expect(digestOf('writeCommand')).to.equal(READ.drain);
  });
});
