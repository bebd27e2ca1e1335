/** A refused act on a member, in the words of this screen; everything else as everywhere. */
import type { Fault } from '../../api/fault.ts';
import { manages } from '../../api/session.ts';
import type { MemberView } from '../../api/wire.ts';
import { Notice } from '../../design/notice.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { membersTexts } from './texts.ts';

export function MemberFault({ fault, member }: { fault: Fault; member: MemberView }) {
  const t = membersTexts.value;
  // Nothing else stands in the way of what is done to an owner.
  if (fault.kind === 'conflict' && member.role === 'owner') {
    return (
      <Notice kind="bad">
        <strong>{t.lastOwner}</strong>
        <p>{t.lastOwnerHint}</p>
      </Notice>
    );
  }
  if (fault.code === 'ACCESS_DENIED' && manages.value) return <Notice kind="bad">{t.ownersOnly}</Notice>;
  return <FaultNotice fault={fault} />;
}
