/** Places in the files of a configuration, and what variables do to the text at one. */

/** Steps from the root of a file: map keys and list indices. */
export type Steps = readonly (string | number)[];

/** Where something stands. */
export interface Place {
  /** Name of the file inside the configuration directory. */
  readonly file: string;
  /** Absent for what no file holds. */
  readonly line: number | undefined;
  /** Steps in that file. */
  readonly steps: Steps;
}

/** The file and the line of something; null for what no file holds. */
export interface FileLine {
  readonly file: string;
  readonly line: number | null;
}

/** A place in words, such as `teams/orders.yml:4`. */
export function placeText({ file, line }: FileLine | Pick<Place, 'file' | 'line'>): string {
  return line == null ? file : `${file}:${line}`;
}

/**
 * What stands in place of a text with variables. `unresolved`: one is unknown; that fault is reported, and no other one for the
 * text. `secret`: the text of a secret file, which nobody may see. `text`: anything else.
 */
export type Replacement = 'text' | 'secret' | 'unresolved';
