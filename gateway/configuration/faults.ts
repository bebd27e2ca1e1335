/** A fault in the configuration and its wording, so that every check reports in the same form and all faults come together. */
import { placeText } from './place.ts';

/** One mistake in a configuration file. */
export interface Fault {
  /** File inside the configuration directory, such as `gateway.config.yml`. */
  readonly file: string;
  /** Line in that file, counted from 1; absent when the file cannot be read. */
  readonly line?: number;
  /** Path inside the file, such as `apiEndpoints.track.scopes[0]`; empty for the file as a whole. */
  readonly path: string;
  /** The value found; absent when something is missing. */
  readonly came?: unknown;
  /** What is allowed: values, or one description; empty when the text says it. */
  readonly allowed: readonly string[];
  /** The allowed name probably meant. */
  readonly nearest?: string;
  /** What is wrong, without place and advice. */
  readonly text: string;
}

/** Thrown when a configuration is refused; carries every fault, one line each in its message. */
export class ConfigurationError extends Error {
  readonly faults: readonly Fault[];
  /** Paths of the further files and folders on which it depends: those included, and secret files. */
  readonly further: readonly string[];
  /** What was read, by the names of the files. */
  readonly texts: ReadonlyMap<string, string>;

  constructor(
    faults: readonly Fault[],
    further: readonly string[] = [],
    texts: ReadonlyMap<string, string> = new Map(),
  ) {
    super(faults.map(formatFault).join('\n'));
    this.name = 'ConfigurationError';
    this.faults = faults;
    this.further = further;
    this.texts = texts;
  }
}

/** `file:line path: text; allowed: …; did you mean "…"?` on one line. */
export function formatFault(fault: Fault): string {
  const place = placeText({ file: fault.file, line: fault.line });
  const subject = fault.path === '' ? place : `${place} ${fault.path}`;
  const allowed = fault.allowed.length === 0 ? '' : `; allowed: ${fault.allowed.join(', ')}`;
  const nearest = fault.nearest === undefined ? '' : `; did you mean "${fault.nearest}"?`;
  return `${subject}: ${fault.text}${allowed}${nearest}`.replaceAll(/\s*\n\s*/g, ' ');
}

const LONGEST_SHOWN = 80;

/** A value as a fault shows it: JSON, cut after 80 characters. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > LONGEST_SHOWN ? `${json.slice(0, LONGEST_SHOWN)}…` : json;
}

/** Files in the order in which their faults are reported. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  const files = [...new Set(faults.map((fault) => fault.file))];
  return [...faults].sort(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  );
}
