/** Which commands a Redis was asked for, by its own statistics: what shows how many round trips something takes. */
import { Redis } from 'ioredis';

export interface CommandCalls {
  /** How often each command was called since; those that a script called itself are among them. */
  since(): Promise<Readonly<Record<string, number>>>;
}

/** Begins to count. */
export async function commandCalls(url: string): Promise<CommandCalls> {
  const control = new Redis(url);
  await control.config('RESETSTAT');
  return {
    async since() {
      const text = await control.info('commandstats');
      control.disconnect();
      const calls = [...text.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)];
      return Object.fromEntries(calls.map(([, name, count]) => [name, Number(count)]));
    },
  };
}
