/** That something was deleted, told by its own screen to the list that comes next. */
type Kind = 'website' | 'link';
let told: Kind | null = null;

export function tellDeleted(kind: Kind): void {
  told = kind;
}

/** Whether one of this kind was deleted just now; once. */
export function takeDeleted(kind: Kind): boolean {
  const was = told === kind;
  told = null;
  return was;
}
