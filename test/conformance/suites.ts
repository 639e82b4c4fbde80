import { oils } from './oils.ts';
import type { Suite } from './suite.ts';

/** All suites by name, in the order in which they run. */
export const suites: ReadonlyMap<string, Suite> = new Map([oils].map((suite) => [suite.name, suite]));
