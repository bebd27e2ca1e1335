/** The choice of a role, each with what it may do; roles that one may not give are not offered. */
import { organization } from '../../api/session.ts';
import type { Role } from '../../api/wire.ts';
import { Check } from '../../design/check.tsx';
import { Worded } from '../../design/worded.tsx';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import { mayGive, ROLES } from './roles.ts';
import { membersTexts } from './texts.ts';

interface RoleChoiceProps {
  readonly role: Role;
  readonly onChange: (role: Role) => void;
  readonly fault?: Words;
}

export function RoleChoice({ role, onChange, fault }: RoleChoiceProps) {
  const t = texts.value;
  const own = organization.value?.role;
  return (
    <fieldset class="stack">
      <legend>{t.words.role}</legend>
      <div class="checks">
        {ROLES.filter((each) => mayGive(own, each)).map((each) => (
          <Check
            key={each}
            group="role"
            label={t.words.roles[each]}
            hint={membersTexts.value.roleHints[each]}
            isChecked={each === role}
            onChange={() => onChange(each)}
          />
        ))}
      </div>
      {fault && (
        <p class="fault">
          <Worded text={fault} />
        </p>
      )}
    </fieldset>
  );
}
