/** The login: afterwards the address that was wanted. */
import { safeNext, useAddress } from '../../address.ts';
import { PageHead } from '../../design/page-head.tsx';
import { Entrance } from '../../frame/entrance.tsx';
import { Preferences } from '../../frame/preferences.tsx';
import { texts } from '../../texts/texts.ts';
import { LoginForm } from './login-form.tsx';

export function Login() {
  const t = texts.value.entering;
  const { go, parameters } = useAddress();
  return (
    <Entrance>
      <PageHead title={t.title} />
      <LoginForm onEntered={() => go(safeNext(parameters.next), {}, true)} />
      <p class="hint">{t.forgot}</p>
      <Preferences />
    </Entrance>
  );
}
