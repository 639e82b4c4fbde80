import { busybox } from './busybox.ts';
import { jq } from './jq.ts';
import { node } from './node.ts';
import { oils } from './oils.ts';
import type { Suite } from './suite.ts';

/** All suites by name, in the order in which they run. */
export const suites: ReadonlyMap<string, Suite> = new Map(
	[oils, node, busybox, jq].map((suite) => [suite.name, suite])
);
