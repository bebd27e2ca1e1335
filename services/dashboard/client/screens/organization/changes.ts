/** What of the organization was typed and differs from what is stored: only that is sent, so nobody's other change is undone. */

/** The fields of the form as texts; an empty slug is none. */
export interface Settings {
  readonly name: string;
  readonly slug: string;
  readonly timezone: string;
}

export interface Stored {
  readonly name: string;
  readonly slug: string | null;
  readonly timezone: string;
}

export const settingsOf = ({ name, slug, timezone }: Stored): Settings => ({
  name,
  slug: slug ?? '',
  timezone,
});

export function changesOf(typed: Partial<Settings>, stored: Stored): Partial<Stored> {
  const before = settingsOf(stored);
  const changes: { name?: string; slug?: string | null; timezone?: string } = {};
  for (const field of ['name', 'slug', 'timezone'] as const) {
    const value = typed[field]?.trim();
    if (value === undefined || value === before[field]) continue;
    if (field === 'slug') changes.slug = value === '' ? null : value;
    else changes[field] = value;
  }
  return changes;
}
