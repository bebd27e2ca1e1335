/** What a user may be called: the one rule for the acceptance of an invitation and for a change later. */
import { z } from 'zod';
import { cleanText } from '../text/clean-text.ts';

/** Without spaces around it, and text that every store can hold. */
export const userNameSchema = z.string().overwrite(cleanText).trim().min(1).max(100);
