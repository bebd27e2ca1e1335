/** The fields of a body that differ from those before: only these are sent, so nobody's other change is undone. */

type Body = Readonly<Record<string, unknown>>;

/** Null when nothing differs. */
export function differing(before: Body, after: Body): Body | null {
  const fields = Object.entries(after).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return fields.length === 0 ? null : Object.fromEntries(fields);
}
