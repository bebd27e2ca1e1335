/** Holds what a run of tests tells at its end. */
import { expect } from 'chai';
import type { Job } from './passes.ts';
import { createReport } from './report.ts';

const job = (path: string): Job => ({ path, way: '', environment: {} });

describe('the report of a test run', () => {
  let told = '';
  const report = (isComplete = false) => {
    told = '';
    return createReport((text) => {
      told += text;
    }, isComplete);
  };
  /** From the line "failed:" to the next empty one, as `.ci/run` repeats it. */
  const failures = () => /^failed:\n(?:.+\n)*/m.exec(told)?.[0];

  it('names at its end each failure with the first lines of its fault, none of them empty', () => {
    const run = report();
    const fault =
      'AssertionError: expected 1 to equal 2\n\n  + 1\n  - 2\n    at first (a.ts:1:1)\n    at second (b.ts:2:2)';
    run.add(
      job('test/a.test.ts'),
      {
        outcome: { passed: 1, failed: [{ title: 'a thing fails', fault }], skipped: [], cpuSeconds: 1 },
        output: '',
      },
      1,
    );
    run.add(
      job('test/b.test.ts'),
      { outcome: { passed: 2, failed: [], skipped: [], cpuSeconds: 1 }, output: '' },
      1,
    );
    expect(run.end()).to.equal(1);
    expect(failures()).to.equal(
      [
        'failed:',
        '  test/a.test.ts: a thing fails',
        '      AssertionError: expected 1 to equal 2',
        '      + 1',
        '      - 2',
        '      at first (a.ts:1:1)',
        '      at second (b.ts:2:2)',
        '',
      ].join('\n'),
    );
    expect(told).to.match(/\n3 passed, 1 failed, 0 skipped\n$/);
  });

  it('tells of each file, and of all, what they cost', () => {
    const run = report();
    const ran = (cpuSeconds: number) => ({
      outcome: { passed: 1, failed: [], skipped: [], cpuSeconds },
      output: '',
    });
    run.add(job('test/a.test.ts'), ran(0.25), 2);
    run.add(job('test/b.test.ts'), ran(7), 10);
    run.end();
    expect(told).to.include('✔ test/a.test.ts  1 passed, 2.0 s, 0.3 s of CPU\n');
    expect(told).to.include('    10 s    7 s  test/b.test.ts\n     2 s    0 s  test/a.test.ts\n');
    expect(told).to.include('\nall files: 7 s of CPU\n');
  });

  it('shortens a long fault', () => {
    const run = report();
    const fault = Array.from({ length: 100 }, (_, number) => `${number} ${'x'.repeat(1_000)}`).join('\n');
    run.add(
      job('test/a.test.ts'),
      { outcome: { passed: 0, failed: [{ title: 'fails', fault }], skipped: [], cpuSeconds: 1 }, output: '' },
      1,
    );
    run.end();
    const lines = failures()?.trimEnd().split('\n') ?? [];
    expect(lines).to.have.length(10);
    expect(Math.max(...lines.map((line) => line.length))).to.be.lessThan(310);
  });

  it('shows the last words of a process that ended in the middle of a file', () => {
    const run = report();
    run.add(job('test/a.test.ts'), { output: 'begun\n\nout of memory\n' }, 1);
    expect(run.end()).to.equal(1);
    expect(failures()).to.equal(
      'failed:\n  test/a.test.ts: it did not come to its end\n      begun\n      out of memory\n',
    );
  });

  it('fails a complete run by what was skipped and could run, and no other', () => {
    const skipped = { outcome: { passed: 1, failed: [], skipped: ['a thing'], cpuSeconds: 1 }, output: '' };
    const real = {
      outcome: { passed: 1, failed: [], skipped: ['a thing (needs a real MongoDB)'], cpuSeconds: 1 },
      output: '',
    };
    for (const [isComplete, ran, code] of [
      [true, skipped, 1],
      [false, skipped, 0],
      [true, real, 0],
    ] as const) {
      const run = report(isComplete);
      run.add(job('test/a.test.ts'), ran, 1);
      expect(run.end()).to.equal(code);
    }
  });
});
