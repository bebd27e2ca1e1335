/** Variables that every configuration may use. */
import { resolve } from 'node:path';

/** `PLUGIN_DIR`: the folder of the plugins that come with Tidegate. */
export function pluginVariables(): { PLUGIN_DIR: string } {
  return { PLUGIN_DIR: resolve(import.meta.dirname, '../plugins') };
}
