/** The range of all cards, and search and order of a long list: they stand in the address, and the API does them. */
import { useAddress } from '../../address.ts';
import { Field } from '../../design/field.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { texts } from '../../texts/texts.ts';
import { CARD_RANGES, type CardRange } from './card-numbers.ts';

/** Orders as the API names them; the first is the usual one. */
export const SORTS = ['name', '-createdAt', 'domain'] as const;
export type Sort = (typeof SORTS)[number];

interface ListControlsProps {
  readonly range: CardRange;
  /** Absent: the list is short. */
  readonly sort: Sort | undefined;
}

export function ListControls({ range, sort }: ListControlsProps) {
  const t = texts.value.websites;
  const { presets, range: label } = texts.value.overview;
  const address = useAddress();
  return (
    <search class="list-controls screen-only">
      {sort && (
        <>
          <SearchField label={t.search} />
          <Field
            label={t.sort}
            value={sort}
            onInput={(value) =>
              address.change({ sort: value === SORTS[0] ? undefined : value, cursor: undefined })
            }
            options={SORTS.map((value) => ({ value, text: t.sorts[value] }))}
          />
        </>
      )}
      <Field
        label={label}
        value={range}
        onInput={(value) => address.change({ range: value === CARD_RANGES[0] ? undefined : value })}
        options={CARD_RANGES.map((value) => ({ value, text: presets[value] }))}
      />
    </search>
  );
}
