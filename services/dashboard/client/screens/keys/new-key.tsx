/** A new API key in the four steps of the specification: name, scopes, websites, copy. Its secret ends with the last of them. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import type { Fault } from '../../api/fault.ts';
import { manages } from '../../api/session.ts';
import { useLeft } from '../../api/use-left.ts';
import { useWrite } from '../../api/use-write.ts';
import type { Scope } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import { type Expiry, instantOf, NEVER } from './expiry.ts';
import { firstInput } from './first-input.ts';
import { KeySecret, type KeyWithSecret } from './key-secret.tsx';
import { LeaveQuestion, nothingToForget } from './leave-question.tsx';
import { NameFields } from './name-fields.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { keysTexts } from './texts.ts';
import { WebsiteFields } from './website-fields.tsx';
import type { Names } from './website-names.ts';
import { accessOf, type Faults, type Field, faultsOf, type Reach, stepOfField } from './wishes.ts';

const STEPS = ['name', 'scopes', 'websites', 'copy'] as const;
type Step = (typeof STEPS)[number];
type FormStep = Exclude<Step, 'copy'>;

export function NewKey() {
  /** Counts the keys that were lost: what comes after one begins anew. */
  const [round, setRound] = useState(0);
  const startAgain = useCallback(() => setRound((before) => before + 1), []);
  if (!manages.value) return <Forbidden title={keysTexts.value.add} />;
  return <Steps key={round} onLost={startAgain} />;
}

function Steps({ onLost }: { onLost: () => void }) {
  const t = keysTexts.value;
  const { path, parameters, go, change } = useAddress();
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>(NEVER);
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [reach, setReach] = useState<Reach>({ level: 'global', websiteIds: [] });
  const [names, setNames] = useState<Names>(new Map());
  const [made, setMade] = useState<KeyWithSecret | null>(null);
  /** Steps that somebody tried to finish: only they show what is missing. */
  const [tried, setTried] = useState<readonly Step[]>([]);
  const write = useWrite();

  const faults = faultsOf({ name, expiry, scopes, reach }, timezone.value, Date.now());
  // A copied or reloaded address names a step whose earlier ones are empty: it begins with the first that is not done.
  const wanted = STEPS.find((each) => each === parameters.step) ?? 'name';
  const undone = STEPS.find((each) => each !== 'copy' && Object.keys(faults[each]).length > 0) ?? 'websites';
  const step: Step = made ? 'copy' : earlier(wanted, undone);
  // The address names the step that is shown, so that the way back goes one back.
  useEffect(() => {
    if (step !== wanted) change({ step: step === 'name' ? undefined : step }, true);
  }, [step, wanted]);
  const isLeft = useLeft();
  const form = useRef<HTMLFormElement>(null);
  const [moves, setMoves] = useState(0);

  useLayoutEffect(() => {
    if (moves > 0) form.current?.querySelector('h2')?.focus();
  }, [step, moves]);

  const missing: Faults = tried.includes(step) && step !== 'copy' ? faults[step] : {};
  const faultOf = (field: Field): Words | undefined => {
    const text = missing[field];
    return write.faultOf(field) ?? (text && t[text]);
  };

  /** After the faults are drawn. */
  const focusFault = (): void => void requestAnimationFrame(() => firstInput(form.current)?.focus());

  async function finish(): Promise<void> {
    setTried([...tried, step]);
    if (step === 'copy' || Object.keys(faults[step]).length > 0) {
      return focusFault();
    }
    if (step !== 'websites') {
      write.forget();
      setMoves(moves + 1);
      return change({ step: STEPS[STEPS.indexOf(step) + 1] });
    }
    const answer = await write.send<{ data: KeyWithSecret }>({
      method: 'POST',
      path: '/v1/api-keys',
      body: {
        name: name.trim(),
        scopes,
        access: accessOf(reach),
        expiresAt: instantOf(expiry, timezone.value, Date.now()),
      },
    });
    if (answer === null || isLeft()) return;
    if (answer.ok) {
      setMade(answer.body.data);
      change({ step: 'copy' }, true);
    } else {
      change({ step: firstFaulty(answer.fault) });
      focusFault();
    }
  }

  return (
    <>
      <PageHead title={t.add} />
      <ol class="steps" aria-label={t.stepsLabel}>
        {STEPS.map((each) => (
          <li key={each} aria-current={each === step ? 'step' : undefined}>
            {t.steps[each]}
          </li>
        ))}
      </ol>
      {made ? (
        <KeySecret
          title={t.copyTitle}
          of={made}
          websiteId={[...names.keys()][0]}
          onLost={onLost}
          onStored={() => {
            setMade(null);
            go(`${HOME}/keys/${encodeURIComponent(made.id)}`, {}, true);
            document.getElementById('content')?.focus();
          }}
        />
      ) : (
        <form
          class="card stack key-form"
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void finish();
          }}
        >
          <h2 tabIndex={-1}>{t.steps[step]}</h2>
          {write.isSending && <LeaveQuestion text={t.leaveComing} onLeave={nothingToForget} />}
          {write.fault && isShownAbove(write.fault) && <FaultNotice fault={write.fault} />}
          {step === 'name' && (
            <NameFields
              name={name}
              onName={setName}
              nameFault={faultOf('name')}
              expiry={expiry}
              onExpiry={setExpiry}
              expiryFault={faultOf('expiresAt')}
            />
          )}
          {step === 'scopes' && (
            <ScopeFields scopes={scopes} onChange={setScopes} fault={faultOf('scopes')} />
          )}
          {step === 'websites' && (
            <WebsiteFields
              reach={reach}
              onChange={setReach}
              names={names}
              onNames={setNames}
              needsAll={scopes.includes('manage:config')}
              fault={faultOf('access')}
            />
          )}
          <div class="row">
            <Button kind="primary" type="submit" isBusy={write.isSending}>
              {step === 'websites' ? t.create : texts.value.words.next}
            </Button>
            {step === 'name' ? (
              <Button href={`${HOME}/keys`}>{texts.value.words.cancel}</Button>
            ) : (
              <Button
                onClick={() => {
                  setMoves(moves + 1);
                  go(path, { step: STEPS[STEPS.indexOf(step) - 1] });
                }}
              >
                {texts.value.words.back}
              </Button>
            )}
          </div>
        </form>
      )}
    </>
  );
}

const earlier = (a: Step, b: Step): Step => (STEPS.indexOf(a) < STEPS.indexOf(b) ? a : b);

/** The step of the first field that the API refused; the last one when it refused the whole. */
function firstFaulty({ details }: Fault): FormStep {
  const steps = details.map(({ field }) => stepOfField(field));
  return STEPS.find((step): step is FormStep => step !== 'copy' && steps.includes(step)) ?? 'websites';
}

/** What stands beside a field is not said above it once more. */
const isShownAbove = ({ details }: Fault): boolean =>
  details.length === 0 || details.some(({ field }) => stepOfField(field) === null);
