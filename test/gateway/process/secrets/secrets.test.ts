/** The secrets file: what an earlier version did not know is added once and stays; nothing else changes. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  createSecretsFile,
  loadSecrets,
  othersMayRead,
} from '../../../../gateway/process/secrets/secrets.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';

describe('the secrets file', () => {
  let directory: TempDirectory;
  let path: string;
  const read = () => JSON.parse(readFileSync(path, 'utf8'));

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('secrets.json');
  });
  afterEach(() => directory.remove());

  async function writeWithoutCookieKey(): Promise<Record<string, unknown>> {
    const { cookieKey: _, ...old } = await loadSecrets(path);
    writeFileSync(path, JSON.stringify(old), { mode: 0o600 });
    return old;
  }

  it('is made with every secret, for its owner only, and read back the same', async () => {
    const made = await loadSecrets(path);
    expect(Buffer.from(made.cookieKey, 'base64url')).to.have.length(32);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(await loadSecrets(path)).to.deep.equal(made);
  });

  it('of an earlier version gets a cookie key, which stays; the others stay as they are', async () => {
    const old = await writeWithoutCookieKey();
    const added = await loadSecrets(path);
    expect(added).to.deep.equal({ ...old, cookieKey: added.cookieKey });
    expect(read()).to.deep.equal(added);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(await loadSecrets(path)).to.deep.equal(added);
  });

  it('of an earlier version gets a key for integrations, which stays; with two of one id it is refused', async () => {
    const { integrationKeys: _, ...old } = await loadSecrets(path);
    writeFileSync(path, JSON.stringify(old), { mode: 0o600 });
    const added = await loadSecrets(path);
    expect(added).to.deep.equal({ ...old, integrationKeys: added.integrationKeys });
    expect(added.integrationKeys).to.have.length(1);
    expect(await loadSecrets(path)).to.deep.equal(added);
    const [key] = added.integrationKeys;
    writeFileSync(path, JSON.stringify({ ...added, integrationKeys: [key, key] }));
    expect(String(await rejection(loadSecrets(path)))).to.include(
      'integrationKeys: two keys have the same id',
    );
  });

  it('gets one cookie key when several processes start at a time: they agree, or say to start again', async () => {
    await writeWithoutCookieKey();
    const loaded = await Promise.allSettled(Array.from({ length: 5 }, () => loadSecrets(path)));
    const { cookieKey } = read();
    let agreed = 0;
    for (const one of loaded) {
      if (one.status === 'rejected')
        expect(String(one.reason)).to.match(/another process is adding a secret/);
      else {
        expect(one.value.cookieKey).to.equal(cookieKey);
        agreed++;
      }
    }
    expect(agreed).to.be.greaterThan(0);
  });

  it('is refused and left alone when it is malformed, whatever it lacks', async () => {
    const old = await writeWithoutCookieKey();
    const text = JSON.stringify({ ...old, visitorSecret: 'short' });
    writeFileSync(path, text);
    expect(String(await rejection(loadSecrets(path)))).to.include('visitorSecret');
    expect(readFileSync(path, 'utf8')).to.equal(text);
  });

  it('is made where there is none, and never in the place of one', async () => {
    await createSecretsFile(path);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    const made = readFileSync(path, 'utf8');
    expect(String(await rejection(createSecretsFile(path)))).to.include(`${path} exists`);
    expect(readFileSync(path, 'utf8')).to.equal(made);
    expect(await loadSecrets(path)).to.deep.equal(JSON.parse(made));
  });

  it('is for its owner alone; one that root mounted, for the group of the process too', () => {
    const judged = (uid: number, ownUid: number) =>
      [0o600, 0o400, 0o440, 0o640, 0o660, 0o644, 0o404, 0o604].filter(
        (mode) => !othersMayRead({ mode: 0o100000 | mode, uid }, ownUid),
      );
    expect(judged(1000, 1000)).to.deep.equal([0o600, 0o400]);
    expect(judged(0, 0)).to.deep.equal([0o600, 0o400]);
    expect(judged(1001, 1000)).to.deep.equal([0o600, 0o400]);
    expect(judged(0, 1000)).to.deep.equal([0o600, 0o400, 0o440, 0o640]);
  });
});
