/** The search of a list: what is typed goes into the address after a short rest, and the list begins at its first page. */
import { useAddress } from '../address.ts';
import { Field } from './field.tsx';
import { useTypedSearch } from './typed-search.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Parameters of the address that a new search ends. */
  readonly ends?: readonly string[];
}

export function SearchField({ label, hint, ends = [] }: SearchFieldProps) {
  const { parameters, change } = useAddress();
  const [text, setText] = useTypedSearch(parameters.search ?? '', (search) => {
    const ended = Object.fromEntries(['cursor', ...ends].map((name) => [name, undefined]));
    change({ search, ...ended }, true);
  });
  return <Field label={label} hint={hint} type="search" value={text} onInput={setText} maxLength={200} />;
}
