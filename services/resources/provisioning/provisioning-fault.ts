/** A fault in PROVISION_FILE: where it is, what came, what is allowed, what was probably meant. */

/** Steps from the top of the file to a value. */
export type FaultPath = readonly (string | number)[];

export interface ProvisioningFault {
  /** The file as the operator named it. */
  readonly file: string;
  /** Line of the value, from 1. */
  readonly line: number;
  /** Such as `organizations[0].plan`; empty for the whole file. */
  readonly path: string;
  /** What came and what is allowed. */
  readonly message: string;
  /** The nearest allowed text. */
  readonly suggestion?: string;
}

/** A fault whose line is not known yet. */
export interface UnplacedFault {
  readonly path: FaultPath;
  /** The part of `path` that is shown, where the rest may be a secret. */
  readonly shownPath?: FaultPath;
  readonly message: string;
  readonly suggestion?: string;
}

/** The fault on one line. */
export function faultText(fault: ProvisioningFault): string {
  const path = fault.path === '' ? '' : ` ${fault.path}:`;
  const suggestion = fault.suggestion === undefined ? '' : `; did you mean "${fault.suggestion}"?`;
  return `${fault.file}:${fault.line}:${path} ${fault.message}${suggestion}`;
}

/** A provisioning file that was refused as a whole; nothing of it was written. */
export class ProvisioningError extends Error {
  readonly faults: readonly ProvisioningFault[];
  constructor(faults: readonly ProvisioningFault[]) {
    super(faults.map(faultText).join('\n'));
    this.name = 'ProvisioningError';
    this.faults = faults;
  }
}
