/** A language for tests: texts of another one, forty percent longer. It stands alone, because it is built into pages too. */

/** Doubles two letters of five, so that words grow and not only sentences; a text with fewer letters grows at its end. */
export function lengthenedText(text: string): string {
  const wanted = Math.ceil([...text].length * 0.4);
  let [letters, added] = [0, 0];
  const longer = [...text].map((each) => {
    if (!/\p{L}/u.test(each) || added === wanted) return each;
    letters++;
    if (Math.floor(letters * 0.4) === Math.floor((letters - 1) * 0.4)) return each;
    added++;
    return each + each;
  });
  const last = [...text].findLast((each) => /\p{L}/u.test(each));
  return longer.join('') + (last === undefined ? '' : last.repeat(wanted - added));
}

/** What each longer text was: one that is told within another is not made longer twice. */
const shorter = new Map<unknown, unknown>();

/** Every text of a catalogue, in its lists and sections, and what its functions say. */
export function lengthened<T>(texts: T): T {
  if (typeof texts === 'string') {
    const longer = lengthenedText(texts);
    shorter.set(longer, texts);
    return longer as T;
  }
  if (typeof texts === 'function') {
    return ((...all: unknown[]) => {
      const told = all.map((each) => (shorter.has(each) ? shorter.get(each) : each));
      return lengthened((texts as (...all: unknown[]) => unknown)(...told));
    }) as T;
  }
  if (Array.isArray(texts)) return texts.map((each) => lengthened(each)) as T;
  if (typeof texts !== 'object' || texts === null || Object.getPrototypeOf(texts) !== Object.prototype)
    return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, lengthened(each)])) as T;
}
