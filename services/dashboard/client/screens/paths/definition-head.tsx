/** What a goal or a funnel is called and means, and what may be done about it. */
import { RowActs } from './row-acts.tsx';

interface DefinitionHeadProps {
  readonly name: string;
  /** What it means, in words. */
  readonly text: string;
  /** Absent: the role changes nothing. */
  readonly onAct?: (act: 'change' | 'remove') => void;
}

export function DefinitionHead({ name, text, onAct }: DefinitionHeadProps) {
  return (
    <section class="card row spread">
      <span class="defined">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <bdi class="soft">{text}</bdi>
      </span>
      {onAct && <RowActs name={name} onAct={onAct} />}
    </section>
  );
}
