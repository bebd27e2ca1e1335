/** The scopes of a key, by what people want them for, each with what it opens; a purpose ticks all that it needs. */
import { useId } from 'preact/hooks';
import { session } from '../../api/session.ts';
import type { Scope } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Check } from '../../design/check.tsx';
import { Worded } from '../../design/worded.tsx';
import { scopeText } from '../../texts/scope-text.ts';
import type { Words } from '../../texts/worded.ts';
import { inOrder, isPurpose, offeredGroups, PURPOSES, type Purpose } from './scope-groups.ts';
import { keysTexts } from './texts.ts';

interface ScopeFieldsProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
  readonly fault: Words | undefined;
}

const ALL_PURPOSES = Object.keys(PURPOSES) as Purpose[];

export function ScopeFields({ scopes, onChange, fault }: ScopeFieldsProps) {
  const id = useId();
  const opens: Readonly<Record<Scope, string | undefined>> = keysTexts.value.opens;
  const held = session.value?.scopes ?? [];
  const purposes = ALL_PURPOSES.filter((purpose) => PURPOSES[purpose].every((scope) => held.includes(scope)));
  const groups = session.value ? offeredGroups(session.value, scopes) : [];
  const tick = (scope: Scope, isTicked: boolean) =>
    onChange(inOrder(isTicked ? [...scopes, scope] : scopes.filter((each) => each !== scope)));
  return (
    <div class="stack">
      <p class="hint">{keysTexts.value.scopesLead}</p>
      <fieldset class="row">
        <legend>{keysTexts.value.purpose}</legend>
        {purposes.map((purpose) => (
          <Button
            key={purpose}
            isPressed={isPurpose(purpose, scopes)}
            onClick={() => onChange(inOrder(PURPOSES[purpose]))}
          >
            {keysTexts.value.purposes[purpose]}
          </Button>
        ))}
      </fieldset>
      {fault && (
        <p class="fault" id={`${id}-fault`} role="alert">
          <Worded text={fault} />
        </p>
      )}
      {groups.map(([group, offered]) => (
        <fieldset key={group} class="checks" aria-describedby={fault && `${id}-fault`}>
          <legend>{keysTexts.value.groups[group]}</legend>
          {offered.map((scope) => (
            <Check
              key={scope}
              label={
                <>
                  {scopeText(scope)} <code class="soft nobreak">{scope}</code>
                </>
              }
              hint={opens[scope]}
              isChecked={scopes.includes(scope)}
              onChange={(isTicked) => tick(scope, isTicked)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}
