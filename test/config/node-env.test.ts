/** What node reads before it starts: node takes it, and it takes effect. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';

/** Fills the young objects as far as they go, and prints their bytes. */
const SCRIPT = `
  const kept = [];
  for (let number = 0; number < 3_000_000; number++) kept.push({ number });
  const spaces = require('node:v8').getHeapSpaceStatistics();
  console.log(spaces.find(({ space_name: name }) => name === 'new_space').space_size);
`;
/** Two halves of 8 MiB. */
const MOST_BYTES = 16_777_216;

describe('config/node.env', () => {
  it('bounds the memory of young objects', () => {
    const args = [`--env-file=${join(PACKAGE_ROOT, 'config/node.env')}`, '-e', SCRIPT];
    const env = { PATH: process.env.PATH };
    const bytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8', env }));
    expect(bytes).to.be.within(1, MOST_BYTES);
  });
});
