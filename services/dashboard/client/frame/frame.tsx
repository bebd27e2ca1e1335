/** What stands around every screen: the header with organization and user, the navigation, and the place of the screen. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf, askToLeave, HOME, useAddress } from '../address.ts';
import { logOut, organization, session, switchOrganization } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Menu } from '../design/menu.tsx';
import { Notice } from '../design/notice.tsx';
import { Places } from '../design/places.tsx';
import { Unloaded } from '../states/unloaded.tsx';
import { usePart } from '../states/use-part.ts';
import { timezone } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { places } from './places.ts';
import { Preferences } from './preferences.tsx';
import { type CommandDialog, useKeys } from './use-keys.ts';

export function Frame({ children }: { children: ComponentChildren }) {
  const t = texts.value;
  const [dialog, setDialog] = useState<CommandDialog | null>(null);
  useKeys(setDialog);
  const { path } = useAddress();
  const isHere = (place: string) =>
    place === HOME ? path === HOME || path.startsWith(`${HOME}/websites`) : path.startsWith(place);
  return (
    <div class="frame">
      <a class="button skip unseen" href="#content">
        {t.states.skip}
      </a>
      <header class="frame-head">
        <a class="brand" href={HOME}>
          {t.words.product}
        </a>
        <OrganizationMenu />
        <span class="soft small zone">{t.frame.timezone(timezone.value)}</span>
        <UserMenu />
      </header>
      <nav class="frame-nav screen-only" aria-label={t.frame.navigation}>
        <Places places={places().map((place) => ({ ...place, isHere: isHere(place.path) }))} />
      </nav>
      <main class="frame-content" id="content" tabIndex={-1}>
        {children}
      </main>
      {dialog && <Commands open={dialog} onClose={() => setDialog(null)} />}
    </div>
  );
}

const loadCommands = () => import('../commands/dialogs.tsx');

function Commands(props: { open: CommandDialog; onClose: () => void }) {
  const part = usePart<typeof import('../commands/dialogs.tsx')>(loadCommands);
  if (part) return <part.CommandDialogs {...props} />;
  return part === null ? <Unloaded /> : null;
}

function OrganizationMenu() {
  const [hasFailed, setFailed] = useState(false);
  const { go } = useAddress();
  const active = organization.value;
  const others = session.value?.organizations.filter(({ id }) => id !== active?.id) ?? [];
  const name = (
    <strong>
      <bdi>{active?.name}</bdi>
    </strong>
  );
  if (others.length === 0) return <span class="organization">{name}</span>;
  async function change(id: string): Promise<void> {
    const answer = await switchOrganization(id);
    setFailed(!answer.ok);
    if (answer.ok) go(HOME);
  }
  return (
    <div>
      <Menu label={name}>
        <p class="hint">{texts.value.frame.switchTo}</p>
        {others.map(({ id, name: other, role }) => (
          <Button key={id} kind="plain" onClick={() => askToLeave(() => void change(id))}>
            <bdi>{other}</bdi> <span class="soft small">{texts.value.words.roles[role]}</span>
          </Button>
        ))}
      </Menu>
      {hasFailed && <Notice kind="bad">{texts.value.frame.switchFailed}</Notice>}
    </div>
  );
}

function UserMenu() {
  const { go } = useAddress();
  const t = texts.value.frame;
  const [hasFailed, setFailed] = useState(false);
  const user = session.value?.user;
  async function leave(): Promise<void> {
    const answer = await logOut();
    setFailed(!answer.ok && answer.fault.kind !== 'over');
    if (session.peek() === null) go(`${HOME}/login`);
  }
  return (
    <div class="user screen-only">
      <Menu label={<bdi title={user?.email}>{user?.name ?? user?.email}</bdi>}>
        <p class="hint">
          <bdi>{user?.email}</bdi>
        </p>
        <Button kind="plain" icon="user" href={addressOf(`${HOME}/account`)}>
          {t.account}
        </Button>
        <Preferences />
        <Button kind="plain" icon="log-out" onClick={() => askToLeave(() => void leave())}>
          {t.logOut}
        </Button>
      </Menu>
      {hasFailed && <Notice kind="bad">{t.logOutFailed}</Notice>}
    </div>
  );
}
