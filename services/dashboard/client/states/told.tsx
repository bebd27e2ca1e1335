/** What was done on a screen that is left by it: the list that comes next says it, once. */
import { useEffect, useState } from 'preact/hooks';
import { Said } from './said.tsx';

let told = '';

export function tell(text: string): void {
  told = text;
}

export function Told() {
  const [text] = useState(() => told);
  useEffect(() => tell(''), []);
  return <Said text={text} />;
}
