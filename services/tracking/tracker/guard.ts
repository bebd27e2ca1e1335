/** Keeps errors of the tracker out of its page: everything that the page or the browser calls is guarded. */

/** Wraps `work` so that it never throws: the page matters more than its measurement. */
export function guard<T extends unknown[]>(work: (...parameters: T) => void): (...parameters: T) => void {
  return (...parameters) => {
    try {
      work(...parameters);
    } catch {
      // Nobody could fix it here.
    }
  };
}

/** Listens, before the page can stop the event, to `types`, which are separated by spaces. */
export function on<E extends Event>(target: EventTarget, types: string, handler: (event: E) => void): void {
  for (const type of types.split(' ')) {
    target.addEventListener(type, guard(handler) as EventListener, true);
  }
}
