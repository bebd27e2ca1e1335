/** Indexes as data: which are declared, which a database lacks, and how it gets them. */
import type { Connection, mongo } from 'mongoose';

/** One index of one collection. */
export interface IndexDeclaration {
  readonly collection: string;
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** Documents without any of its fields are not in it: null is left out of the document. */
  readonly sparse?: true;
  /** Documents are removed this many seconds after the instant in their field. */
  readonly expireAfterSeconds?: number;
  /** Which reads use it. */
  readonly comment: string;
}

/**
 * For a command that may take hours without a word from the server: the silence that ends other commands is no fault
 * here.
 */
const NO_SILENCE_ENDS_IT = { socketTimeoutMS: 0 } as const;

/** The declared indexes that the database lacks. @throws Error when one with the same name has other fields or options */
export async function missingIndexes(
  connection: Connection,
  declarations: readonly IndexDeclaration[],
): Promise<IndexDeclaration[]> {
  const missing: IndexDeclaration[] = [];
  for (const collection of new Set(declarations.map((one) => one.collection))) {
    const declared = declarations.filter((one) => one.collection === collection);
    const present = await indexesOf(connection, collection);
    for (const declaration of declared) {
      const found = present.find(({ name }) => name === declaration.name);
      if (found === undefined) missing.push(declaration);
      else requireEqual(found, declaration);
    }
  }
  return missing;
}

/**
 * Creates one. With existing documents it may take hours, while reads and writes continue. It is not given up while the
 * server is alive, which the connection's monitor watches.
 */
export async function createIndex(
  connection: Connection,
  { collection, key, comment: _, name, ...options }: IndexDeclaration,
): Promise<void> {
  const asked = { name, ...options, ...NO_SILENCE_ENDS_IT };
  await connection.collection(collection).createIndex({ ...key }, asked);
}

async function indexesOf(connection: Connection, collection: string): Promise<mongo.IndexDescriptionInfo[]> {
  try {
    return await connection.collection(collection).indexes();
  } catch (fault) {
    // NamespaceNotFound: the collection is created with its first index.
    if ((fault as { code?: unknown }).code === 26) return [];
    throw fault;
  }
}

function requireEqual(found: mongo.IndexDescriptionInfo, declared: IndexDeclaration): void {
  const text = (index: Partial<IndexDeclaration> | mongo.IndexDescriptionInfo): string =>
    JSON.stringify([
      Object.entries(index.key ?? {}),
      index.unique ?? false,
      index.sparse ?? false,
      index.expireAfterSeconds ?? null,
    ]);
  if (text(found) === text(declared)) return;
  throw new Error(
    `the index ${declared.name} of ${declared.collection} is not as declared: there it is ${text(found)}, it should be ${text(declared)}; drop it, then run tidegate migrate`,
  );
}
