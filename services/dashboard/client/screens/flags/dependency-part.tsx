/** The flags that must be on before anything else is asked: those that evaluation reaches from this one. */
import type { FlagView } from '../../api/wire.ts';
import { ChoiceFields } from './choice-fields.tsx';
import { type FlagPartProps, Part } from './part.tsx';
import { flagTexts } from './texts.ts';

export function DependencyPart({ draft, edit, write }: FlagPartProps) {
  const t = flagTexts.value;
  const reaches = ({ key, websiteId }: FlagView) =>
    key !== draft.key && (websiteId === null || websiteId === draft.websiteId);
  return (
    <Part title={t.dependencies} hint={t.dependenciesHint} field="dependencies" write={write}>
      <ChoiceFields<FlagView>
        chosen={draft.dependencies}
        onChange={(keys) => edit({ dependencies: [...keys] })}
        onMoved={write.forget}
        name={t.dependencyNumber}
        show={(key) => <bdi class="mono">{key}</bdi>}
        addText={t.addDependency}
        path="/v1/flags"
        sort="key"
        choiceOf={(flag) => (reaches(flag) ? { id: flag.key, text: flag.key } : null)}
        faultOf={(index) => write.faultOf(`dependencies[${index}]`)}
      />
    </Part>
  );
}
