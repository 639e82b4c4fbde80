import { bash } from './bash.ts';
import { bc } from './bc.ts';
import { busybox } from './busybox.ts';
import { gawk } from './gawk.ts';
import { coreutils } from './coreutils.ts';
import { git } from './git.ts';
import { diffutils, findutils, grep, gzip, sed } from './gnu-scripts.ts';
import { jq } from './jq.ts';
import { make } from './make.ts';
import { mksh } from './mksh.ts';
import { node } from './node.ts';
import { oils } from './oils.ts';
import { python } from './python.ts';
import { tar } from './tar.ts';
import { yash } from './yash.ts';
import type { Suite } from './suite.ts';

/** All suites by name, in order of execution. */
export const suites: ReadonlyMap<string, Suite> = new Map(
	[
		oils,
		bash,
		yash,
		mksh,
		node,
		busybox,
		jq,
		sed,
		grep,
		gawk,
		bc,
		findutils,
		diffutils,
		gzip,
		coreutils,
		tar,
		make,
		python,
		git
	].map((suite) => [suite.name, suite])
);
