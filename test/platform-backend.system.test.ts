/** A backend of a platform's own, in a language of its own, behind the gateway by YAML alone: everything together. */
import { describePlatformBackend } from './support/platform-backend/describe-platform-backend.ts';

describePlatformBackend({ streamSeconds: 15, timeoutSeconds: 8 });
