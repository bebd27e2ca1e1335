/** What policies read from disk: a fault at the parameter that names it, and a fingerprint that differs after every change. */
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { checkFiles, MOST_FILES } from '../../../gateway/configuration/check-files.ts';
import { Cursor } from '../../../gateway/configuration/cursor.ts';
import { type Fault, formatFault } from '../../../gateway/configuration/faults.ts';
import type { SourceFile } from '../../../gateway/configuration/source-file.ts';
import { definePolicy } from '../../../plugins/kit/plugin.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

describe('the files that policies read', () => {
  let folder: TempDirectory;
  /** What the policy says of a file that can be read. */
  let judged: string[];

  const policy = definePolicy({
    name: 'reader',
    schema: z.strictObject({ source: z.string() }),
    reads: ({ source }) => [
      { path: ['source'], location: source, expected: 'a list of names', judge: () => judged },
    ],
    create: () => (_req, _res, next) => next(),
  });

  beforeEach(() => {
    folder = createTempDirectory();
    judged = [];
    mkdirSync(folder.file('names/more'), { recursive: true });
    writeFileSync(folder.file('names/a.txt'), 'anna');
    writeFileSync(folder.file('names/more/b.txt'), 'bert');
  });
  afterEach(() => folder.remove());

  function looked(source = folder.file('names')): { files: string; faults: string[] } {
    const faults: Fault[] = [];
    const action = { source };
    const file: SourceFile = {
      name: 'gateway.config.yml',
      value: action,
      written: action,
      replacedAt: () => undefined,
      holdsSecret: () => false,
      placeOf: (steps) => ({ file: 'gateway.config.yml', line: 7, steps }),
    };
    const step = { policy: 'reader', condition: null, action, parameters: action };
    const plugins = [{ name: 'reader', package: '', policies: [policy], conditions: new Map() }];
    const files = checkFiles([{ step, action: Cursor.of(file, faults) }], { plugins, complete: true });
    return { files, faults: faults.map(formatFault) };
  }

  it('have the same fingerprint while nothing changes', () => {
    expect(looked()).to.deep.equal(looked());
    expect(looked().faults).to.deep.equal([]);
  });

  it('have another one after any change: a text of the same length and time, a file more or less, a link that turns', () => {
    const seen = new Set([looked().files]);
    const differs = (what: string) => {
      const { files } = looked();
      expect(seen.has(files), what).to.equal(false);
      seen.add(files);
    };
    const once = new Date(1_700_000_000_000);
    utimesSync(folder.file('names/more/b.txt'), once, once);
    differs('another time');
    writeFileSync(folder.file('names/more/b.new'), 'nora');
    utimesSync(folder.file('names/more/b.new'), once, once);
    renameSync(folder.file('names/more/b.new'), folder.file('names/more/b.txt'));
    differs('another text');
    writeFileSync(folder.file('names/more/c.txt'), '');
    differs('a file more');
    rmSync(folder.file('names/more'), { recursive: true });
    differs('a folder less');
    symlinkSync('../first', folder.file('names/linked'));
    differs('a link to nothing');
    writeFileSync(folder.file('first'), '1');
    differs('what it leads to');
  });

  it('follow a folder that is a link, as a release that becomes the current one', () => {
    symlinkSync('names', folder.file('current'));
    const { files, faults } = looked(folder.file('current'));
    expect(faults).to.deep.equal([]);
    mkdirSync(folder.file('next'));
    symlinkSync('next', folder.file('turned'));
    renameSync(folder.file('turned'), folder.file('current'));
    expect(looked(folder.file('current')).files).to.not.equal(files);
  });

  it('are refused where there is nothing, with place, path and what is expected', () => {
    const nowhere = folder.file('nowhere');
    expect(looked(nowhere).faults).to.deep.equal([
      `gateway.config.yml:7 source: ${nowhere}: there is no such file or folder, or it cannot be read (ENOENT); allowed: a list of names`,
    ]);
  });

  it('are refused with every fault that the policy finds in them', () => {
    judged = ['it holds no anna', 'bert is twice in it'];
    const names = folder.file('names');
    expect(looked().faults).to.deep.equal([
      `gateway.config.yml:7 source: ${names}: it holds no anna; allowed: a list of names`,
      `gateway.config.yml:7 source: ${names}: bert is twice in it; allowed: a list of names`,
    ]);
  });

  it('are bounded in number', () => {
    for (let index = 0; index <= MOST_FILES; index++) writeFileSync(folder.file(`names/${index}`), '');
    expect(looked().faults.join()).to.include(`it holds more than ${MOST_FILES} files`);
  }).timeout(60_000);
});
