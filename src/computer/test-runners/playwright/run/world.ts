import type { Session } from '../browser/session.ts';
import type { Declaration } from './declare.ts';

/** Environment shared by all test files of a run. */
export interface World {
	state: Declaration;
	session: Session;
	/** Exports of `@playwright/test`. */
	module: object;
	setExpectTimeout(timeoutMs: number | undefined): void;
}
