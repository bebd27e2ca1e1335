/** What each role may do, in the words of its scopes. */
import { session } from '../../api/session.ts';
import { scopeText } from '../../texts/scope-text.ts';
import { texts } from '../../texts/texts.ts';
import { ROLES } from './roles.ts';
import { membersTexts } from './texts.ts';

export function RoleList() {
  const t = texts.value;
  return (
    <section class="stack">
      <h2>{membersTexts.value.rolesTitle}</h2>
      <div class="role-list">
        {ROLES.map((role) => (
          <div key={role} class="card">
            <h3>{t.words.roles[role]}</h3>
            <p class="hint">{membersTexts.value.roleHints[role]}</p>
            <ul class="may small">
              {session.value?.roleScopes[role].map((scope) => (
                <li key={scope}>{scopeText(scope)}</li>
              ))}
              {(role === 'owner' || role === 'admin') && <li>{membersTexts.value.manages}</li>}
              {role === 'owner' && <li>{membersTexts.value.makesOwners}</li>}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}
