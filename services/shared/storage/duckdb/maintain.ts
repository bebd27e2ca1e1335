/** How maintenance of the event file gets access to the open engine. */
import type { Engine } from './engine.ts';

/** Runs `action` on the open engine, while no erasure and no other maintenance runs. */
export type Maintain = <R>(action: (engine: Engine) => Promise<R>) => Promise<R>;
