/** Makes the replica set of docker-compose.yml and the user of Tidegate; mongosh runs it at each start, and what is there stays. */
const { MONGODB_ROOT_PASSWORD, MONGODB_PASSWORD } = process.env;
const HOST = 'mongodb:27017';
const TRIES = 60;

// The server may not be listening yet.
let admin = null;
for (let tries = 1; admin === null; tries++) {
  try {
    const root = `root:${encodeURIComponent(MONGODB_ROOT_PASSWORD)}`;
    admin = connect(`mongodb://${root}@${HOST}/admin?directConnection=true`);
  } catch (fault) {
    if (tries === TRIES) throw fault;
    sleep(2_000);
  }
}

try {
  admin.adminCommand({ replSetGetStatus: 1 });
} catch (fault) {
  if (fault.codeName !== 'NotYetInitialized') throw fault;
  admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: HOST }] } });
}
for (let tries = 1; !admin.hello().isWritablePrimary; tries++) {
  if (tries === TRIES) throw new Error('the replica set has no primary');
  sleep(2_000);
}

// The user has no rights outside its own database; a password changed in .env is applied.
const tidegate = admin.getSiblingDB('tidegate');
if (tidegate.getUser('tidegate') === null) {
  tidegate.createUser({
    user: 'tidegate',
    pwd: MONGODB_PASSWORD,
    roles: [{ role: 'readWrite', db: 'tidegate' }],
  });
} else {
  tidegate.changeUserPassword('tidegate', MONGODB_PASSWORD);
}
