/** The own account: name, password, sessions, language and appearance. */
import { session } from '../../api/session.ts';
import { PageHead } from '../../design/page-head.tsx';
import { Preferences } from '../../frame/preferences.tsx';
import { NameForm } from './name-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';
import { accountTexts } from './texts.ts';

export function Account() {
  const t = accountTexts.value;
  return (
    <>
      <PageHead title={t.title} lead={<bdi>{session.value?.user.email}</bdi>} />
      <div class="account-parts">
        <section class="card stack">
          <h2>{t.nameTitle}</h2>
          <NameForm />
        </section>
        <section class="card stack">
          <h2>{t.passwordTitle}</h2>
          <PasswordForm />
        </section>
      </div>
      <Sessions />
      <section class="card stack">
        <h2>{t.preferencesTitle}</h2>
        <p class="hint">{t.preferencesLead}</p>
        <Preferences />
      </section>
    </>
  );
}
