/** What the pages know of the session when answers come late, fail, or come from a gateway of an earlier version. */
import { expect } from 'chai';
import { loadClientModule, withGlobals } from '../../../../support/client-module.ts';

interface View {
  readonly user: { readonly id: string };
  readonly scopes: readonly string[];
}
interface Answer {
  readonly ok: boolean;
  readonly fault?: { readonly kind: string };
}
/** What the tests use of the module. */
interface SessionModule {
  readonly session: { readonly value: View | null | undefined };
  followOtherTabs(): void;
  readSession(): Promise<Answer | null>;
  logIn(body: object): Promise<Answer>;
}

/** A call that the module made, and the answer that the test gives it when it likes. */
interface Asked {
  readonly path: string;
  answer(status: number, body: unknown): void;
}

const LATER = '2999-01-01T00:00:00.000Z';
const viewOf = (scopes: readonly string[], user = 'usr_ada') => ({
  success: true,
  data: {
    user: { id: user },
    organizations: [{ id: 'org_one', name: 'One', role: 'owner' }],
    activeOrganizationId: 'org_one',
    active: { id: 'org_one', timezone: 'UTC', plan: 'free', limits: {} },
    scopes,
    listedScopes: [],
    roleScopes: {},
    accessExpiresAt: LATER,
  },
});
/** As a gateway of an earlier version tells it. */
const EARLIER = {
  success: true,
  data: { user: { id: 'usr_ada' }, organizations: [], activeOrganizationId: 'org_one' },
};

describe('the session of the pages', () => {
  let calls: Asked[];
  let reloads: number;
  let told: ((message: { data: string }) => void)[];
  let restore: () => void;
  let module: SessionModule;

  beforeEach(async () => {
    calls = [];
    reloads = 0;
    told = [];
    const fetch = (path: string) =>
      new Promise((resolve) => {
        calls.push({
          path,
          answer: (status, body) => resolve(new Response(JSON.stringify(body), { status })),
        });
      });
    class Channel {
      addEventListener(_type: string, listener: (message: { data: string }) => void) {
        told.push(listener);
      }
      postMessage() {}
    }
    restore = withGlobals({
      fetch,
      BroadcastChannel: Channel,
      navigator: {},
      location: { origin: 'http://localhost', pathname: '/dashboard', search: '', reload: () => reloads++ },
      document: { cookie: `tidegate-access=${Date.parse(LATER)}.mark` },
    });
    module = await loadClientModule<SessionModule>('api/session.ts');
  });
  afterEach(() => restore());

  /** Lets everything go on that waits for nothing from outside. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  async function asked(place: number): Promise<Asked> {
    for (let turn = 0; turn < 100 && calls.length <= place; turn++) await settle();
    const call = calls[place];
    if (!call) throw new Error(`only ${calls.length} calls were made`);
    return call;
  }
  const scopes = () => module.session.value?.scopes;

  it('is what the last question was answered, though an earlier answer comes after it', async () => {
    const first = module.readSession();
    const early = await asked(0);
    const second = module.readSession();
    const late = await asked(1);
    late.answer(200, viewOf(['read:data']));
    await second;
    expect(scopes()).to.deep.equal(['read:data']);
    early.answer(200, viewOf(['read:data', 'manage:config']));
    await first;
    expect(scopes(), 'after the earlier answer').to.deep.equal(['read:data']);
  });

  it('is that of a login, though the question before it is answered after it, even that nobody is there', async () => {
    for (const [status, body] of [
      [200, viewOf(['read:data'], 'usr_before')],
      [403, { code: 'ACCESS_DENIED' }],
    ] as const) {
      const from = calls.length;
      const reading = module.readSession();
      const early = await asked(from);
      const entering = module.logIn({ email: 'ada@example.com', password: 'x' });
      (await asked(from + 1)).answer(200, viewOf(['manage:config']));
      await entering;
      early.answer(status, body);
      // A refusal makes the module ask for the session itself, which this answers.
      await settle();
      for (const call of calls.slice(from + 2)) call.answer(200, viewOf(['manage:config']));
      await reading;
      expect(module.session.value?.user.id, String(status)).to.equal('usr_ada');
      expect(scopes(), String(status)).to.deep.equal(['manage:config']);
    }
  });

  it('that another tab changed is read again, and a tab that cannot starts anew instead of going on', async () => {
    module.followOtherTabs();
    const reading = module.readSession();
    (await asked(0)).answer(200, viewOf(['read:data']));
    await reading;
    const tell = () => {
      for (const listener of told) listener({ data: 'changed' });
    };
    tell();
    (await asked(1)).answer(200, viewOf(['manage:config']));
    for (let turn = 0; turn < 100 && scopes()?.[0] !== 'manage:config'; turn++) await settle();
    expect(scopes()).to.deep.equal(['manage:config']);
    expect(reloads).to.equal(0);
    tell();
    (await asked(2)).answer(503, { code: 'SERVICE_UNAVAILABLE' });
    for (let turn = 0; turn < 100 && reloads === 0; turn++) await settle();
    expect(reloads).to.equal(1);
  });

  it('of a gateway of an earlier version is a fault to be shown, and nobody is taken for logged in or out by it', async () => {
    const reading = module.readSession();
    (await asked(0)).answer(200, EARLIER);
    expect(await reading).to.deep.include({ ok: false });
    expect((await reading)?.fault?.kind).to.equal('unavailable');
    expect(module.session.value).to.equal(undefined);
    const entering = module.logIn({ email: 'ada@example.com', password: 'x' });
    (await asked(1)).answer(200, EARLIER);
    expect((await entering).fault?.kind).to.equal('unavailable');
    expect(module.session.value).to.equal(undefined);
  });
});
