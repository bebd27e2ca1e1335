/** Feature flags and target groups: the list, a new flag, one flag, and the groups, by the last part of the address. */
import { usePathPart } from '../../address.ts';
import { may } from '../../api/session.ts';
import { Forbidden } from '../../states/forbidden.tsx';
import { FlagList } from './flag-list.tsx';
import { Groups } from './groups.tsx';
import { NewFlag } from './new-flag.tsx';
import { OneFlag } from './one-flag.tsx';
import { flagTexts } from './texts.ts';

export function Flags() {
  const id = usePathPart('id');
  if (!may('manage:flags')) return <Forbidden title={flagTexts.value.title} />;
  if (id === '') return <FlagList />;
  if (id === 'new') return <NewFlag />;
  return id === 'groups' ? <Groups /> : <OneFlag id={id} />;
}
