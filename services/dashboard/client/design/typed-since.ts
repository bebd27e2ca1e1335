/** What was typed since a form was sent: an answer settles what was sent, and nothing that came later. */
export function typedSince<T extends object>(sent: Partial<T>, typed: Partial<T>): Partial<T> {
  const later = Object.entries(typed).filter(([name, value]) => value !== sent[name as keyof T]);
  return Object.fromEntries(later) as Partial<T>;
}
