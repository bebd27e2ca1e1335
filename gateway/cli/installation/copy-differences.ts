/** Describes where two installations differ, in terms that an operator can act on. */
import type { ErrorDetail } from '../../../services/shared/errors/api-error.ts';
import type { Tally, WebsiteTally } from '../../../services/shared/storage/content-tally.ts';

/** The contents of one installation: documents by collection, events by website. */
export interface Contents {
  readonly documents: Readonly<Record<string, Tally>>;
  readonly events: ReadonlyMap<string, WebsiteTally>;
}

/** Every difference, none for equal contents. */
export function differences(files: Contents, database: Contents): ErrorDetail[] {
  const keys = new Set([...files.events.keys(), ...database.events.keys()]);
  return [
    ...Object.entries(files.documents).flatMap(([name, here]) =>
      differenceOf(name, 'documents', here, database.documents[name]),
    ),
    ...[...keys].flatMap((key) => {
      const here = files.events.get(key);
      const there = database.events.get(key);
      return differenceOf(scopeText(here ?? there), 'events', here, there);
    }),
  ];
}

function differenceOf(
  field: string,
  what: string,
  here: Tally | WebsiteTally | undefined,
  there: Tally | WebsiteTally | undefined,
): ErrorDetail[] {
  const counts = [here?.count ?? 0, there?.count ?? 0];
  if (counts[0] !== counts[1]) {
    return [{ field, message: `${counts[0]} ${what} in the files, ${counts[1]} in the database` }];
  }
  if (!here || !there || here.checksum === there.checksum) return [];
  const instants = 'first' in here && 'first' in there ? instantsText(here, there) : '';
  return [
    {
      field,
      message: `${here.count} ${what} in both, but they differ: checksum ${here.checksum} of the files, ${there.checksum} of the database${instants}`,
    },
  ];
}

function instantsText(here: WebsiteTally, there: WebsiteTally): string {
  if (here.first === there.first && here.last === there.last) return '';
  const span = ({ first, last }: WebsiteTally) =>
    `${new Date(first).toISOString()} to ${new Date(last).toISOString()}`;
  return `; from ${span(here)} in the files, from ${span(there)} in the database`;
}

function scopeText(tally: WebsiteTally | undefined): string {
  if (!tally) return 'events';
  const { organizationId, websiteId } = tally;
  return websiteId === null
    ? `events of ${organizationId} without a website`
    : `events of the website ${websiteId} of ${organizationId}`;
}
