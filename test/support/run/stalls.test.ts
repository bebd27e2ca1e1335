/** Holds what `--stalls` does to a process of a test run, and to those that it starts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { until } from '../until.ts';
import { stallingOptions, stallNowAndThen } from './stalls.ts';

describe('stalls of a test run', () => {
  it('stop for less than half a second, again and again', async () => {
    const stops: number[] = [];
    stallNowAndThen((ms) => void stops.push(ms));
    await until('three stops', () => stops.length >= 3);
    for (const ms of stops) expect(ms).to.be.within(0, 400);
    expect(new Set(stops).size).to.be.above(1);
  });

  it('are loaded beside other options of Node, and once', () => {
    const [first, second, ...more] = stallingOptions('--no-warnings').split(' ');
    expect([first, more]).to.deep.equal(['--no-warnings', []]);
    expect(second).to.match(/^--import=file:.*\/stalls\.js$/);
    expect(stallingOptions(stallingOptions(''))).to.equal(stallingOptions(''));
  });

  it('reach what a process starts, also with an environment of its own', async () => {
    const tell = 'console.log(process.env.NODE_OPTIONS, process.env.KEPT)';
    const start = (env: object) =>
      `require('node:child_process').execFile(process.execPath, ['-e', ${JSON.stringify(tell)}], { env: ${JSON.stringify(env)} }, (fault, text) => console.log(text.trim()));`;
    const script = start({}) + start({ KEPT: 'yes', NODE_OPTIONS: '--no-warnings' });
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
      env: { NODE_OPTIONS: stallingOptions('') },
    });
    const told = stdout.trim().split('\n');
    expect(told).to.have.members([
      `${stallingOptions('')} undefined`,
      `${stallingOptions('--no-warnings')} yes`,
    ]);
  });
});
