/** Holds what a file of the configuration says to be the same each time it is read, though a sound text is parsed once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Fault } from '../../../gateway/configuration/faults.ts';
import { SecretTexts } from '../../../gateway/configuration/secret-texts.ts';
import { readSourceFile, type SourceFile } from '../../../gateway/configuration/source-file.ts';
import { Variables } from '../../../gateway/configuration/variables.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

describe('a file of the configuration', () => {
  let directory: TempDirectory;
  before(() => {
    directory = createTempDirectory();
  });
  after(() => directory.remove());

  async function read(name: string, text: string, values: Readonly<Record<string, string>> = {}) {
    writeFileSync(join(directory.path, name), text);
    const faults: Fault[] = [];
    const file = await readSourceFile(
      directory.path,
      name,
      new Variables(values, {}, new SecretTexts()),
      faults,
    );
    return { file: file as SourceFile, faults };
  }
  const TEXT = `a:\n  b: [1, "\${ADDRESS}"]\nc: &one {d: .inf}\ne: *one\n`;

  it('says the same each time, with the variables of that time and the lines of its text', async () => {
    for (const address of ['here', 'there', 'here']) {
      const { file, faults } = await read('twice.yml', TEXT, { ADDRESS: address });
      const one = { d: Number.POSITIVE_INFINITY };
      expect(file.value).to.deep.equal({ a: { b: [1, address] }, c: one, e: one });
      expect(file.written).to.deep.equal({ a: { b: [1, `\${ADDRESS}`] }, c: one, e: one });
      expect([file.placeOf(['a', 'b', 1]).line, file.placeOf(['c', 'd']).line]).to.deep.equal([2, 3]);
      expect(faults).to.deep.equal([]);
    }
  });

  it('names the line of a variable without a value each time', async () => {
    for (const _ of [1, 2]) {
      const { faults } = await read('unset.yml', TEXT);
      expect(faults.map(({ file, line, path }) => [file, line, path])).to.deep.equal([
        ['unset.yml', 2, 'a.b[1]'],
      ]);
    }
  });

  it('tells a key with a dot from a path each time, and a list from a map', async () => {
    for (const _ of [1, 2]) {
      const { file } = await read('dots.yml', 'a.b: 1\na:\n  b: 2\n  "0": 3\n');
      const lines = [['a.b'], ['a', 'b'], ['a', '0'], ['a', 0]].map((steps) => file.placeOf(steps).line);
      expect(lines).to.deep.equal([1, 3, 4, 4]);
    }
  });

  it('keeps to itself what a reader does to its value', async () => {
    const text = 'kept:\n  list: [1]\n';
    const first = (await read('own.yml', text)).file.written as { kept: { list: number[] } };
    first.kept.list.push(2);
    expect((await read('own.yml', text)).file.written).to.deep.equal({ kept: { list: [1] } });
  });

  it('tells each time of a text with faults, and of YAML in a file for JSON that is sound elsewhere', async () => {
    for (const _ of [1, 2]) {
      expect(
        (await read('slip.yml', 'a: 1\na: 2\n')).faults.map(({ line, text }) => [line, text]),
      ).to.deep.equal([[2, 'this key appears twice in the same map']]);
      expect((await read('sound.yml', 'a: 1\n')).faults).to.deep.equal([]);
      const { file, faults } = await read('sound.json', 'a: 1\n');
      expect(file).to.equal(null);
      expect(faults.map(({ text }) => text)).to.deep.equal(['this is YAML, not JSON']);
    }
  });
});
