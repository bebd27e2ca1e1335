/** Lets each call of a store be a span within that of the request it works for. */
import { activeSpan } from './active-span.ts';

/** Methods that no request waits for, or that are called for each row. */
const LEFT_OUT: ReadonlySet<string | symbol> = new Set(['close', 'subscribe', 'then']);

/**
 * The store, whose methods and those of its collections begin a span `store NAME.METHOD` when a request is traced. Only for
 * processes with tracing on: each call passes a proxy.
 */
export function traceCalls<T extends object>(store: T, name: string): T {
  const known = new Map<string | symbol, unknown>();
  return new Proxy(store, {
    get(target, member) {
      const found = known.get(member);
      if (found !== undefined) return found;
      const value: unknown = Reflect.get(target, member, target);
      if (typeof member === 'symbol' || LEFT_OUT.has(member)) return value;
      const label = `${name}.${member}`;
      const traced =
        typeof value === 'function'
          ? tracedCall(value.bind(target) as (...of: unknown[]) => unknown, label)
          : isCollection(value)
            ? traceCalls(value, label)
            : null;
      if (traced === null) return value;
      known.set(member, traced);
      return traced;
    },
  });
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'get' in value && 'search' in value;
}

function tracedCall(call: (...of: unknown[]) => unknown, label: string): (...of: unknown[]) => unknown {
  return (...parameters) => {
    const span = activeSpan()?.child(`store ${label}`, 'client');
    if (span === undefined) return call(...parameters);
    try {
      const result = call(...parameters);
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      result.then(
        () => span.end(),
        () => {
          span.fail();
          span.end();
        },
      );
      return result;
    } catch (thrown) {
      span.fail();
      span.end();
      throw thrown;
    }
  };
}
