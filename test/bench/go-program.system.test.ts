/** Building a program of others with go: kept once built, not asked for again once refused. A script stands in for go. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createBenchProcesses } from './bench-processes.ts';
import { buildGoProgram } from './go-program.ts';
import { MissingRequirement } from './target.ts';

const PROGRAM = {
  title: 'Example',
  module: 'example.com/example',
  version: 'v1.2.3',
  program: 'cmd/example',
};

describe('a program that go builds for a bench', () => {
  const directory = createTempDirectory();
  const processes = createBenchProcesses();
  const path = process.env.PATH;
  const bin = directory.file('bin');
  const asked = directory.file('asked');

  /** Puts a go before the real one that notes what it is asked. */
  function goDoes(script: string): void {
    mkdirSync(bin, { recursive: true });
    const text = `#!/bin/sh\n[ "$1" = version ] && exit 0\necho "$*" >> "${asked}"\n${script}\n`;
    writeFileSync(`${bin}/go`, text, { mode: 0o755 });
    writeFileSync(asked, '');
    process.env.PATH = `${bin}:${path}`;
  }
  const kept = (name: string) => {
    mkdirSync(directory.file(name), { recursive: true });
    return directory.file(name);
  };
  const askedFor = () => readFileSync(asked, 'utf8').trim().split('\n');

  after(async () => {
    process.env.PATH = path;
    await processes.stopAll();
    directory.remove();
  });

  it('is built once, from the folder of its module, and kept', async () => {
    const module = kept('module');
    goDoes(`case "$*" in *-json*) echo '{"Dir":"${module}"}';; build*) pwd > "$5";; esac`);
    const file = await buildGoProgram(processes, PROGRAM, kept('built'));
    expect(readFileSync(file, 'utf8').trim()).to.equal(module);
    expect(await buildGoProgram(processes, PROGRAM, kept('built'))).to.equal(file);
    expect(askedFor().filter((line) => line.startsWith('build'))).to.deep.equal([
      `build -mod=readonly -trimpath -o ${file} ./cmd/example`,
    ]);
  });

  it('is left out with a sentence when its modules are refused, and not asked for again', async () => {
    goDoes('echo "reading it: 403 Forbidden" >&2; exit 1');
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await buildGoProgram(processes, PROGRAM, kept('refused')).catch((error) => error);
      expect(refused).to.be.instanceOf(MissingRequirement);
      expect(refused.message).to.equal(
        'Example v1.2.3 could not be built: the Go module proxy in use does not serve all of its modules.',
      );
    }
    expect(askedFor()).to.deep.equal(['mod download example.com/example@v1.2.3']);
  });

  it('is asked for again when it failed for another reason', async () => {
    goDoes('echo "no space left on device" >&2; exit 1');
    for (let attempt = 0; attempt < 2; attempt++) {
      const failed = await buildGoProgram(processes, PROGRAM, kept('failed')).catch((error) => error);
      expect(failed.message).to.equal('Example v1.2.3 could not be built with go: no space left on device');
    }
    expect(askedFor()).to.have.length(2);
  });
});
