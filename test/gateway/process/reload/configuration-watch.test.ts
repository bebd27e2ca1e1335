/** Changes of configuration files are noticed in whatever way new files come into the place of old ones. */
import { pbkdf2 } from 'node:crypto';
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { watchConfiguration } from '../../../../gateway/process/reload/configuration-watch.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { until } from '../../../support/until.ts';

const derive = promisify(pbkdf2);
const GATEWAY = 'gateway.config.yml';
/** Shorter than an operator has them. */
const TIMES = { settledAfterMs: 40, lookedAtEveryMs: 60 };
/** After which everything has been noticed, also what is only found by looking. */
const QUIET_MS = 3 * (TIMES.settledAfterMs + TIMES.lookedAtEveryMs);

describe('the watch of the configuration', () => {
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
  async function watch(directory: string, further: readonly string[] = []): Promise<void> {
    const { logger } = createLogWatch();
    stop = await watchConfiguration(
      directory,
      logger,
      () => changes++,
      TIMES,
      () => further,
    );
  }
  /** Puts a link to `target` in the place of `link`, at one stroke. */
  function turn(link: string, target: string): void {
    symlinkSync(target, folder.file('turned'));
    renameSync(folder.file('turned'), folder.file(link));
  }
  /** Resolves once the change is told that `act` makes. */
  async function isNoticed(what: string, act: () => void): Promise<void> {
    await sleep(QUIET_MS);
    const before = changes;
    act();
    await until(what, () => changes > before);
  }

  it('notices a file that is written, once, and nothing without a change', async () => {
    const directory = configurationIn('config');
    await watch(directory);
    await sleep(QUIET_MS);
    expect(changes).to.equal(0);
    await isNoticed('the file', () => writeFileSync(join(directory, GATEWAY), '# other'));
    await sleep(QUIET_MS);
    expect(changes).to.equal(1);
  });

  it('tells a change once, however long the look at the files takes', async () => {
    const directory = configurationIn('config');
    await watch(directory);
    let isBusy = true;
    // Looks wait for their turn in the pool of threads, longer than changes settle.
    const working = Array.from({ length: 8 }, async () => {
      while (isBusy) await derive('', '', 20_000, 64, 'sha512');
    });
    try {
      for (let round = 1; round <= 3; round++) {
        await isNoticed('the file', () => writeFileSync(join(directory, GATEWAY), `# other ${round}`));
        await sleep(1_000);
        expect(changes).to.equal(round);
      }
    } finally {
      isBusy = false;
      await Promise.all(working);
    }
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

  it('notices secret files that are renamed into place, come with a turned link, or come late', async () => {
    const directory = configurationIn('config');
    for (const name of ['first', 'second']) {
      mkdirSync(folder.file(`secrets/..${name}`), { recursive: true });
      writeFileSync(folder.file(`secrets/..${name}/orders`), name);
    }
    symlinkSync('..first', folder.file('secrets/..data'));
    symlinkSync('..data/orders', folder.file('secrets/orders'));
    writeFileSync(folder.file('key'), 'one');
    await watch(directory, [folder.file('secrets/orders'), folder.file('key'), folder.file('late')]);
    await isNoticed('the turned link', () => turn('secrets/..data', '..second'));
    await isNoticed('the renamed file', () => {
      writeFileSync(folder.file('next'), 'two');
      renameSync(folder.file('next'), folder.file('key'));
    });
    await isNoticed('the late file', () => writeFileSync(folder.file('late'), 'x'));
  });

  it('notices a file of an included folder, and one that is added there', async () => {
    const directory = configurationIn('config');
    mkdirSync(join(directory, 'teams'));
    writeFileSync(join(directory, 'teams/a.yml'), '# a');
    await watch(directory, [join(directory, 'teams'), join(directory, 'teams/a.yml')]);
    await isNoticed('the text', () => writeFileSync(join(directory, 'teams/a.yml'), '# other'));
    await isNoticed('the new file', () => writeFileSync(join(directory, 'teams/b.yml'), '# b'));
  });
});
