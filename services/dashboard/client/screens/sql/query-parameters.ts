/** The parameters of a query: which names stand in it, and what a typed text means as a value. */

/** What holds no parameter: texts, quoted names, and remarks. */
const APART = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
const NAME = /\$([A-Za-z_]\w*)/g;

/** Each once, in the order in which they stand there. */
export function parameterNames(sql: string): string[] {
  const names = [...sql.replace(APART, ' ').matchAll(NAME)].map(([, name = '']) => name);
  return [...new Set(names)];
}

/** A number, true, false, null, a list and a text in quotes as JSON has them; anything else is a text as it stands. */
export function parameterValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : value;
  } catch {
    return text;
  }
}

/** What was typed, by name, as it stands in the address; nothing where it is something else. */
export function typedParameters(text: string | undefined): Readonly<Record<string, string>> {
  const value = parameterValue(text?.startsWith('{') ? `[${text}]` : '');
  const [typed] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof typed !== 'object' || typed === null) return {};
  return Object.fromEntries(
    Object.entries(typed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
