/** What hostile texts could do to a page, and to a spreadsheet that opens a file of it. */

/** What a spreadsheet begins to compute, behind what nobody sees. */
export const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** What in the document is of a hostile text's making, may run, leads elsewhere, or is not kept apart from the text around it. */
export function findHarm(): string[] {
  const found: string[] = [];
  const view = globalThis as unknown as { pwned?: unknown; document: Document; location: Location };
  type Any = { tagName: string; [name: string]: unknown };
  type Document = { documentElement: Any; createTreeWalker(root: unknown, what: number): Walker } & Any;
  type Walker = { nextNode(): TextNode | null };
  type TextNode = { data: string; parentElement: Any & { closest(selector: string): unknown } };
  type Location = { origin: string };
  const all = (selector: string): Any[] => [
    ...(view.document as unknown as { querySelectorAll(selector: string): Iterable<Any> }).querySelectorAll(
      selector,
    ),
  ];
  if (view.pwned !== undefined) found.push('a script ran');
  for (const each of all(
    '.pwn, iframe, object, embed, math, base, form[action], [srcdoc], animate, #app script, #app style, #app link, #app img',
  ))
    found.push(`element ${each.tagName}: ${String(each.outerHTML).slice(0, 200)}`);
  for (const each of all('*'))
    for (const { name } of each.attributes as Iterable<{ name: string }>)
      if (name.startsWith('on')) found.push(`attribute ${name} of ${each.tagName}`);
  for (const link of all('#app a[href]')) {
    const { protocol, origin, target, rel, href } = link as Record<string, string>;
    if (!/^https?:$/.test(protocol ?? '')) found.push(`link to ${href}`);
    else if (origin !== view.location.origin && !(target === '_blank' && rel === 'noopener noreferrer'))
      found.push(`link out without care: ${href}`);
  }
  const walker = view.document.createTreeWalker(view.document.body, 4);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // The letters of an id, and of the ends of a key, are drawn by lot, and may spell anything.
    const isEndOfKey = /^(?:tg_\w{5}|\w{4})$/.test(node.data) && node.parentElement.closest('code.nobreak');
    const said = isEndOfKey ? '' : node.data.replace(/\b[a-z]+_[0-9a-z]{26}\b/g, '');
    if (/pwn/.test(said) && !node.parentElement.closest('bdi, pre, option, textarea, script, title'))
      found.push(
        `not isolated: ${node.data.slice(0, 80)} in ${String(node.parentElement.outerHTML).slice(0, 200)}`,
      );
  }
  return found;
}

/** The cells of a CSV text, each as a spreadsheet reads it. */
export function cellsOf(text: string): string[] {
  return [...text.matchAll(/("(?:[^"]|"")*"|[^,\r\n"]*)(?:,|\r\n)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
}
