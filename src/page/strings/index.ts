import { en, type Strings } from './en.ts';

export type { Strings };

/** The sentences of the language in use. */
export const t: Strings = en;
