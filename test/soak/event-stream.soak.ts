/** An event stream of a minute from a backend of a platform's own: the long form of what the suite does for some seconds. */
import { describePlatformBackend } from '../support/platform-backend/describe-platform-backend.ts';

describePlatformBackend({ streamSeconds: 60, timeoutSeconds: 10 });
