/** The version of the engine, for what does not stay the same in another one. */
import { version } from '@duckdb/node-api';

export const ENGINE_VERSION: string = version();
