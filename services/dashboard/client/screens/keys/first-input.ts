/** Where the focus goes when a form is not in order: the first input with a fault. */
export function firstInput(form: HTMLFormElement | null): HTMLElement | null {
  return (
    form?.querySelector<HTMLElement>('[aria-invalid="true"], [aria-describedby$="-fault"] input') ?? null
  );
}
