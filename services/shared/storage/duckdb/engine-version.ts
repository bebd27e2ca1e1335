/** The version of the engine, for what does not stay the same in another one; read without loading the engine. */
import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('@duckdb/node-api/package.json') as { version: string };

export const ENGINE_VERSION = version;
