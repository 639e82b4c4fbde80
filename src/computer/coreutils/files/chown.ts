import type { BuiltIn } from '#computer/shell/state/host.ts';
import { ownership } from './ownership.ts';

/** `chown`: only to the single user; other owners are not permitted, as for anyone but root. */
export const chown: BuiltIn = ownership('ownership', 'user');
