/** What is wrong with a schema, and where in its document. */

/** Steps into a document: names of maps, and places in lists. */
export type Steps = readonly (string | number)[];

/** A schema that cannot be used; its message says why. */
export class SchemaFault extends Error {
  /** From the root of its document; empty where nobody knows the place. */
  readonly steps: Steps;

  constructor(message: string, steps: Steps = []) {
    super(message);
    this.steps = steps;
  }
}

/** A JSON pointer (RFC 6901), or a fragment that is one, as steps. */
export function stepsOf(pointer: string): string[] {
  const steps = pointer.replace(/^#/, '').split('/').slice(1);
  return steps.map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Steps as a JSON pointer. */
export function pointerOf(steps: Steps): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** What stands at these steps; undefined for nothing. */
export function valueAt(root: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>(
    (inside, step) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, step)
        ? (inside as Record<string | number, unknown>)[step]
        : undefined,
    root,
  );
}
