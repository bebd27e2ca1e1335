/** Changes of configuration files are noticed in whatever way new files come into the place of old ones. */
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { watchConfiguration } from '../../gateway/configuration-watch.ts';
import { createLogWatch } from '../support/log-watch.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { until } from '../support/until.ts';

const GATEWAY = 'gateway.config.yml';

describe('the watch of the configuration', function () {
  this.timeout(60_000);
  let folder: TempDirectory;
  let stop: () => void;
  let changes: number;

  beforeEach(() => {
    folder = createTempDirectory();
    changes = 0;
    stop = () => undefined;
  });
  afterEach(() => {
    stop();
    folder.remove();
  });

  function configurationIn(name: string): string {
    cpSync(join(PACKAGE_ROOT, 'config'), folder.file(name), { recursive: true });
    return folder.file(name);
  }
  async function watch(directory: string): Promise<void> {
    stop = await watchConfiguration(directory, createLogWatch().logger, () => changes++);
  }
  /** Puts a link to `target` in the place of `link`, at one stroke. */
  function turn(link: string, target: string): void {
    symlinkSync(target, folder.file('turned'));
    renameSync(folder.file('turned'), folder.file(link));
  }
  /** Resolves once the change is told that `act` makes. */
  async function isNoticed(what: string, act: () => void): Promise<void> {
    await sleep(700);
    const before = changes;
    act();
    await until(what, () => changes > before);
  }

  it('notices a file that is written, once, and nothing without a change', async () => {
    const directory = configurationIn('config');
    await watch(directory);
    await sleep(2_500);
    expect(changes).to.equal(0);
    await isNoticed('the file', () => writeFileSync(join(directory, GATEWAY), '# other'));
    await sleep(2_500);
    expect(changes).to.equal(1);
  });

  it('notices a folder in the place of the folder, and what is written there', async () => {
    const directory = configurationIn('config');
    configurationIn('next');
    await watch(directory);
    await isNoticed('the new folder', () => {
      renameSync(directory, folder.file('before'));
      renameSync(folder.file('next'), directory);
    });
    await isNoticed('a file of it', () => writeFileSync(join(directory, GATEWAY), '# other'));
  });

  it('notices a folder that is gone, and that it is back', async () => {
    const directory = configurationIn('config');
    await watch(directory);
    await isNoticed('that it is gone', () => rmSync(directory, { recursive: true }));
    await isNoticed('that it is back', () => void configurationIn('config'));
    await isNoticed('a file of it', () => writeFileSync(join(directory, GATEWAY), '# other'));
  });

  it('notices a link that is turned to another folder, and what is written there', async () => {
    configurationIn('first');
    const second = configurationIn('second');
    turn('current', 'first');
    await watch(folder.file('current'));
    await isNoticed('the turned link', () => turn('current', 'second'));
    await isNoticed('a file of the folder', () => writeFileSync(join(second, GATEWAY), '# other'));
  });

  it('notices files that are links into a folder which is replaced, as mounted volumes have them', async () => {
    const directory = configurationIn('config');
    configurationIn('config/..first');
    configurationIn('config/..second');
    rmSync(join(directory, GATEWAY));
    turn('config/..data', '..first');
    symlinkSync(join('..data', GATEWAY), join(directory, GATEWAY));
    await watch(directory);
    await isNoticed('the other folder', () => turn('config/..data', '..second'));
  });

  it('notices what is written into a file elsewhere that a file is a link to', async () => {
    const directory = configurationIn('config');
    mkdirSync(folder.file('elsewhere'));
    renameSync(join(directory, GATEWAY), folder.file('elsewhere/mine.yml'));
    symlinkSync(folder.file('elsewhere/mine.yml'), join(directory, GATEWAY));
    await watch(directory);
    await isNoticed('the text', () => writeFileSync(folder.file('elsewhere/mine.yml'), '# other'));
  });
});
