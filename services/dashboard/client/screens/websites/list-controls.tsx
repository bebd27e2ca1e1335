/** Search and order of a long list; both stand in the address, and the API does them. */
import { useAddress } from '../../address.ts';
import { Field } from '../../design/field.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { texts } from '../../texts/texts.ts';

/** Orders as the API names them; the first is the usual one. */
export const SORTS = ['name', '-createdAt', 'domain'] as const;
export type Sort = (typeof SORTS)[number];

export function ListControls({ sort }: { sort: Sort }) {
  const t = texts.value.websites;
  const address = useAddress();
  return (
    <search class="list-controls screen-only">
      <SearchField label={t.search} />
      <Field
        label={t.sort}
        value={sort}
        onInput={(value) =>
          address.change({ sort: value === SORTS[0] ? undefined : value, cursor: undefined })
        }
        options={SORTS.map((value) => ({ value, text: t.sorts[value] }))}
      />
    </search>
  );
}
