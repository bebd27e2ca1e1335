/** Language and appearance, which this browser remembers. */
import { Field } from '../design/field.tsx';
import { choose } from '../texts/speak.ts';
import { LANGUAGES, type Language, language, texts } from '../texts/texts.ts';
import { APPEARANCES, type Appearance, appearance, chooseAppearance } from './appearance.ts';

export function Preferences() {
  const t = texts.value.frame;
  return (
    <div class="preferences stack">
      <Field
        label={t.language}
        value={language.value}
        onInput={(value) => void choose(value as Language)}
        options={Object.entries(LANGUAGES).map(([value, text]) => ({ value, text }))}
      />
      <Field
        label={t.appearance}
        value={appearance.value}
        onInput={(value) => chooseAppearance(value as Appearance)}
        options={APPEARANCES.map((value) => ({ value, text: t.appearances[value] }))}
      />
    </div>
  );
}
