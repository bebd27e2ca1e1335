/** One member or invitation: who, with which role, since when, and what may be done about it. */
import { organization } from '../../api/session.ts';
import type { MemberView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Instant } from '../../design/instant.tsx';
import { formatDate, formatInstant } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { isSelf, nameOf } from './act.ts';
import { mayGive } from './roles.ts';
import { membersTexts } from './texts.ts';

export type Act = 'role' | 'remove' | 'reset';

interface MemberRowProps {
  readonly member: MemberView;
  readonly onAct: (act: Act) => void;
}

export function MemberRow({ member, onAct }: MemberRowProps) {
  const t = texts.value;
  const who = nameOf(member);
  const isInvitation = member.status === 'invited';
  const isOurs = mayGive(organization.value?.role, member.role);
  return (
    <li class="person">
      <div class="who">
        <strong>
          <bdi>{who}</bdi>
        </strong>{' '}
        {isSelf(member) && <span class="badge">{membersTexts.value.you}</span>}{' '}
        {isInvitation && <span class="badge warn">{membersTexts.value.invited}</span>}
        {member.name !== null && (
          <p class="soft">
            <bdi>{member.email}</bdi>
          </p>
        )}
      </div>
      <div class="role">
        <p>{t.words.roles[member.role]}</p>
        <p class="soft small">
          {isInvitation && member.expiresAt !== null ? (
            <Instant
              at={member.expiresAt}
              text={membersTexts.value.invitedUntil(formatInstant(member.expiresAt))}
            />
          ) : (
            <>
              {membersTexts.value.since} <Instant at={member.createdAt} text={formatDate(member.createdAt)} />
            </>
          )}
        </p>
      </div>
      {isOurs && (
        <div class="row acts screen-only">
          {isInvitation ? (
            <Button kind="danger" onClick={() => onAct('remove')} label={membersTexts.value.withdrawOf(who)}>
              {membersTexts.value.withdraw}
            </Button>
          ) : (
            <>
              <Button onClick={() => onAct('role')} label={membersTexts.value.changeRoleOf(who)}>
                {membersTexts.value.changeRole}
              </Button>
              {!isSelf(member) && (
                <Button onClick={() => onAct('reset')} label={membersTexts.value.resetOf(who)}>
                  {membersTexts.value.reset}
                </Button>
              )}
              <Button kind="danger" onClick={() => onAct('remove')} label={membersTexts.value.removeOf(who)}>
                {membersTexts.value.remove}
              </Button>
            </>
          )}
        </div>
      )}
    </li>
  );
}
