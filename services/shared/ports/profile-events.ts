/** The port of what events say about a person: which visitors they are, and how many events there are. */

/** A person of an organization, and where to look. */
export interface PersonScope {
  readonly organizationId: string;
  /** Only these websites; null: all of them and the organization itself. */
  readonly websiteIds: readonly string[] | null;
  readonly profileId: string;
  /** Nothing of these, null for the organization itself; absent: of all. */
  readonly without?: readonly (string | null)[];
}

/** A visitor of a website, or of the organization. */
export interface Visitor {
  /** Null: of the organization itself. */
  readonly websiteId: string | null;
  readonly anonymousId: string;
}

/** A visitor that was named as the person. */
export interface NamedVisitor extends Visitor {
  /** Whether a key said so; without one, nobody speaks for the organization itself. */
  readonly isKeyed: boolean;
}

/** Unnamed events of some visitors. */
export interface UnnamedEvents {
  /** Null: everywhere within the scope. */
  readonly websiteId: string | null;
  readonly visitors: readonly string[];
}

/** The events of a person on one website. */
export interface PersonEvents {
  /** Null: of the organization itself. */
  readonly websiteId: string | null;
  readonly events: number;
  /** Milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface ProfileEvents {
  /**
   * Visitors whose events name the person, by anonymousId, then website ascending: at most `limit`, those after `after`.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  visitors(scope: PersonScope, page: VisitorPage): Promise<NamedVisitor[]>;
  /**
   * Those of these visitors of websites for whom an event with a key, on the same website, names another person.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  keyedToOthers(scope: PersonScope, visitors: readonly Visitor[]): Promise<Visitor[]>;
  /** The events that name the person, and the person's unnamed ones, by website. @throws ApiError SERVICE_UNAVAILABLE */
  counts(scope: PersonScope, unnamed: readonly UnnamedEvents[]): Promise<PersonEvents[]>;
}

export interface VisitorPage {
  readonly limit: number;
  readonly after?: Visitor;
}
