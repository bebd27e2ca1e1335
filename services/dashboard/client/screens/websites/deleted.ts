/** That a website was deleted, told by its settings to the list that comes next. */
let isTold = false;

export function tellDeleted(): void {
  isTold = true;
}

/** Whether one was deleted just now; once. */
export function takeDeleted(): boolean {
  const was = isTold;
  isTold = false;
  return was;
}
