/** Who is logged in, for which organization, in this tab and told to all others. */
import { batch, computed, effect, signal } from '@preact/signals';
import { reload } from '../address.ts';
import { timezone } from '../texts/format.ts';
import type { Answer } from './answer.ts';
import { call, callAlone, callOnce, onForbidden, onSwitched, renew } from './call.ts';
import { OFFLINE } from './fault.ts';
import { forgetAll } from './memory.ts';
import { forgetAccess, hasRunOut, knownAccess, noteAccess, rememberAccess } from './renewal.ts';
import { onShownOrganization } from './shown-organization.ts';
import type { SessionView, ShippedScope } from './wire.ts';

export type Session = SessionView['data'];

/** Undefined until it was asked for; null when nobody is logged in. */
export const session = signal<Session | null | undefined>(undefined);

/** The organization that the session acts for. */
export const organization = computed(() => {
  const current = session.value;
  return current?.organizations.find(({ id }) => id === current.activeOrganizationId);
});

// Times are shown in the zone of the organization.
effect(() => {
  timezone.value = session.value?.active.timezone ?? 'UTC';
});

/** Whether the session's role has the scope; what it lacks is not offered. The gateway decides, this only spares a refusal. */
export function may(scope: ShippedScope): boolean {
  return session.value?.scopes.includes(scope) ?? false;
}

/** Whether the session's role manages keys, members and the organization. */
export const manages = computed(() => ['owner', 'admin'].includes(organization.value?.role ?? ''));

/** Counts changes of user and organization: what is drawn under it is drawn anew, so nothing of the other is left. */
export const generation = signal(0);

type News = 'logged-out' | 'changed';
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tidegate-session');

/** Listens to what other tabs do with the session. */
export function followOtherTabs(): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data === 'logged-out') leave();
    else if (session.value) void follow();
  });
}

/** Takes over what another tab did. A page that cannot learn for whom it acts now must not go on for the one before. */
async function follow(): Promise<void> {
  const answer = await readSession();
  if (answer?.ok === false && answer.fault.kind !== 'over') reload();
}

/** The calls of a screen learn of a switch at the same time: it is followed once for all of them. */
let following: Promise<void> | null = null;
onSwitched(() => {
  following ??= follow().finally(() => {
    following = null;
  });
  return following;
});
onShownOrganization(() => session.peek()?.activeOrganizationId);

function tell(news: News): void {
  channel?.postMessage(news);
}

/** Counts what is known of the session: an answer to an earlier question says nothing any more. */
let turn = 0;

/** Takes `next` as the session; another user or organization starts everything anew. */
function enter(next: Session): void {
  turn++;
  forgetAll();
  const before = session.peek();
  batch(() => {
    session.value = next;
    const isSame =
      before?.user.id === next.user.id && before.activeOrganizationId === next.activeOrganizationId;
    if (!isSame) generation.value++;
  });
}

function leave(): void {
  turn++;
  forgetAll();
  forgetAccess();
  batch(() => {
    session.value = null;
    generation.value++;
  });
}

type View = Answer<SessionView>;

/** A service of an earlier version, in the middle of an upgrade, tells too little of a session to draw pages by. */
function whole(answer: View): View {
  const isWhole =
    !answer.ok || (answer.body.data.active && answer.body.data.scopes && answer.body.data.listedScopes);
  return isWhole ? answer : { ok: false, fault: { ...OFFLINE, kind: 'unavailable', status: 503 } };
}

async function entering(sent: Promise<View>): Promise<View> {
  const answer = whole(await sent);
  if (answer.ok) {
    rememberAccess(answer.body);
    enter(answer.body.data);
    tell('changed');
  }
  return answer;
}

/** Asks who is logged in, at the first page and when another tab says that it changed; null in {@link session}: nobody. */
export async function readSession(): Promise<View | null> {
  const access = knownAccess();
  if (access === '') {
    leave();
    return null;
  }
  // What has run out is renewed at once, instead of being refused first.
  if (hasRunOut(access)) await renew(access);
  const asked = ++turn;
  const answer = whole(await call<SessionView>({ path: '/v1/auth/session' }));
  if (asked !== turn) return answer;
  if (answer.ok) {
    noteAccess(answer.body);
    enter(answer.body.data);
  } else if (answer.fault.kind === 'over') {
    leave();
  }
  return answer;
}

/** Asks again, and lets all tabs do so, after this page changed what the session's view shows. */
export async function rereadSession(): Promise<void> {
  if ((await readSession())?.ok) tell('changed');
}

let isRereading = false;
// A refused call may mean that the role was changed: navigation and controls follow the new one at once.
onForbidden(() => {
  if (isRereading || !session.peek()) return;
  isRereading = true;
  void readSession().finally(() => {
    isRereading = false;
  });
});

/** `organizationId`: the organization to act for, in place of the oldest membership's. */
export const logIn = (body: { email: string; password: string; organizationId?: string }): Promise<View> =>
  entering(callOnce({ method: 'POST', path: '/v1/auth/login', body }));

export const acceptInvitation = (body: { token: string; name?: string; password?: string }): Promise<View> =>
  // Without a password it is the session that joins, and one that ran out is renewed.
  entering(
    (body.password === undefined ? callAlone : callOnce)({ method: 'POST', path: '/v1/auth/accept', body }),
  );

export const switchOrganization = (organizationId: string): Promise<View> =>
  entering(callAlone({ method: 'POST', path: '/v1/auth/switch', body: { organizationId } }));

/**
 * Sets a new password. A wrong current one is answered as an ended session is, with 401: so the session is asked for first, and renewed
 * if it ran out, and what is refused after that is the password.
 */
export async function changePassword(body: { current: string; new: string }): Promise<Answer<unknown>> {
  const view = await call<SessionView>({ path: '/v1/auth/session' });
  return view.ok ? callOnce({ method: 'POST', path: '/v1/auth/password', body }) : view;
}

/** Ends the session here and in all tabs. When the service cannot be reached it goes on, and the answer says so. */
export async function logOut(): Promise<Answer<unknown>> {
  const answer = await callOnce({ method: 'POST', path: '/v1/auth/logout' });
  if (answer.ok || answer.fault.kind === 'over') {
    leave();
    tell('logged-out');
  }
  return answer;
}
