/** What the rows of goals and funnels may be grouped by: the fields that their datasets take, each with the filter that keeps one group. */
import { filtersOfCell, type ListingColumn } from '../../drill/listing.ts';
import type { DatasetRow } from '../../website/batch.ts';
import { type DimensionName, dimensionOf } from '../../website/dimensions.ts';
import type { Reach } from '../../website/scene-filters.ts';
import { PREFIX } from './event-match.ts';
import type { Behind } from './sessions-behind.ts';

export interface Group {
  /** What its values are called by. */
  readonly dimension: DimensionName;
  /** The column of its values, by its field in the API. */
  readonly column: ListingColumn;
}

function group(field: string, dimension = field as DimensionName): Group {
  const { kind: names = 'text' } = dimensionOf(dimension);
  return {
    dimension,
    column: {
      ...{ key: field, kind: 'text', names, isUnsorted: true },
      ...(names === 'country' && { codeFrom: field }),
      // The campaign of an event may be another one than that of its session.
      ...(!field.startsWith('utm_') && { dimension }),
    },
  };
}

const DIMENSIONS = ['country', 'region', 'city', 'language', 'timezone', 'path'] as const;
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

export const GROUPS: readonly [Group, ...Group[]] = [
  group('device_type', 'device'),
  group('browser_name', 'browser'),
  group('os_name', 'os'),
  ...DIMENSIONS.map((field) => group(field)),
  group('event_name', 'event'),
  ...CAMPAIGN.map((field) => group(field)),
];

/** The group of an address: one of them, or a property of events; the first where it names none. */
export function groupOf(text = ''): Group {
  if (/^properties\..{1,128}$/su.test(text)) return group(text);
  return GROUPS.find(({ column }) => column.key === text) ?? GROUPS[0];
}

/** The name of the property that a group is of; empty where it is of none. */
export const propertyOf = ({ column: { key } }: Group): string =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : '';

/** What has the value of a row. */
export const behindGroup = (row: DatasetRow, { column }: Group, of: Reach): Behind => ({
  filters: filtersOfCell(row, column).map((filter) => ({ ...filter, of })),
  isWhole: column.dimension !== undefined,
});
