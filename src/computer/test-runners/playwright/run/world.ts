import type { Session } from '../browser/session.ts';
import type { Declaration } from './declare.ts';

/** Everything that test files share in one run. */
export interface World {
	state: Declaration;
	session: Session;
	/** Exports of `@playwright/test`. */
	module: object;
	setExpectTimeout(timeoutMs: number | undefined): void;
}
