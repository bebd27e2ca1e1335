/** What every act on a member needs to know. */
import { session } from '../../api/session.ts';
import type { MemberView } from '../../api/wire.ts';

export interface ActProps {
  readonly member: MemberView;
  readonly onClose: () => void;
  /** The act is done; `said` tells it in a sentence. */
  readonly onDone: (said: string) => void;
}

export const nameOf = ({ name, email }: MemberView): string => name ?? email;

/** Whether the member is who is logged in. */
export const isSelf = ({ userId }: MemberView): boolean => userId === session.value?.user.id;
