/** An API key by its name, which leads to it; by its identifier where no name is known. */
import { HOME } from '../../address.ts';

export function KeyName({ id, names }: { id: string; names: ReadonlyMap<string, string> }) {
  const name = names.get(id);
  if (name === undefined) return <code>{id}</code>;
  return (
    <a href={`${HOME}/keys/${encodeURIComponent(id)}`} title={id}>
      <bdi>{name}</bdi>
    </a>
  );
}
