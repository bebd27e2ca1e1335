/** What node reads before it starts: node takes it, and it takes effect. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';

const NODE_ENV = join(PACKAGE_ROOT, 'config/node.env');

/** Fills the young objects as far as they go, and prints their bytes. */
const SCRIPT = `
  const kept = [];
  for (let number = 0; number < 3_000_000; number++) kept.push({ number });
  const spaces = require('node:v8').getHeapSpaceStatistics();
  console.log(spaces.find(({ space_name: name }) => name === 'new_space').space_size);
`;
/** Loads the engine, and so its allocator. */
const LOAD_ENGINE = "require('@duckdb/node-api')";
/** Two halves of 8 MiB. */
const MOST_BYTES = 16_777_216;

describe('config/node.env', () => {
  it('bounds the memory of young objects', () => {
    const args = [`--env-file=${NODE_ENV}`, '-e', SCRIPT];
    const env = { PATH: process.env.PATH };
    const bytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8', env }));
    expect(bytes).to.be.within(1, MOST_BYTES);
  });

  it('tells the allocator within DuckDB when memory goes back, in words that it takes', function () {
    // Where DuckDB is built with an allocator of its own.
    if (process.platform !== 'linux') this.skip();
    const name = 'DUCKDB_JE_MALLOC_CONF';
    const set = new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(NODE_ENV, 'utf8'))?.[1] ?? '';
    const env = { PATH: process.env.PATH, [name]: `${set},confirm_conf:true` };
    const { stderr } = spawnSync(process.execPath, ['-e', LOAD_ENGINE], {
      encoding: 'utf8',
      env,
      cwd: PACKAGE_ROOT,
    });
    for (const pair of set.split(',')) expect(stderr).to.include(`Set conf value: ${pair}`);
    expect(stderr).not.to.match(/invalid/i);
  });
});
