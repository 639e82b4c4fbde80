import type { BuiltIn } from '#computer/shell/state/host.ts';
import { ownership } from './ownership.ts';

/** `chown`: to the one user there is; others are not permitted, as without root. */
export const chown: BuiltIn = ownership('ownership', 'user');
