/** The login over the page when the session ended in the middle of work: what is under it stays, and goes on afterwards. */
import { effect, signal } from '@preact/signals';
import { HOME, useAddress } from '../address.ts';
import { onSessionOver } from '../api/call.ts';
import { session } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { LoginForm } from '../screens/login/login-form.tsx';
import { texts } from '../texts/texts.ts';

/** A call that waits for a login: for whom it was meant, and how it learns whether the same user is back there. */
interface Waiting {
  readonly userId: string;
  readonly organizationId: string;
  readonly resolve: (isBack: boolean) => void;
}
const waiting = signal<readonly Waiting[]>([]);

onSessionOver(() => {
  const current = session.peek();
  // Nobody was logged in: there is nothing to come back to.
  if (!current) return Promise.resolve(false);
  return new Promise((resolve) => {
    const meant = { userId: current.user.id, organizationId: current.activeOrganizationId };
    waiting.value = [...waiting.peek(), { ...meant, resolve }];
  });
});

// A login or logout in any tab is news to the calls that wait in this one: each goes on only for whom it was meant.
effect(() => {
  const now = session.value;
  const callers = waiting.peek();
  if (callers.length === 0) return;
  waiting.value = [];
  for (const { userId, organizationId, resolve } of callers)
    resolve(now?.user.id === userId && now.activeOrganizationId === organizationId);
});

export function SessionOver() {
  const { go } = useAddress();
  const before = session.value;
  if (waiting.value.length === 0 || !before) return null;
  const t = texts.value;
  return (
    <Dialog title={t.states.over}>
      <p>{t.states.overHint}</p>
      <LoginForm
        email={before.user.email}
        organizationId={before.activeOrganizationId}
        onEntered={(next) => {
          if (next.user.id !== before.user.id) go(HOME);
        }}
      >
        <Button
          onClick={() => {
            session.value = null;
            go(`${HOME}/login`);
          }}
        >
          {t.words.cancel}
        </Button>
      </LoginForm>
    </Dialog>
  );
}
