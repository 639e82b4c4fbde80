import type { BuiltIn } from '../state/host.ts';
import { which } from '../builtins/commands.ts';
import { adaptedUtilities } from './adapted.ts';
import { wc } from './count.ts';
import { diff } from './difference.ts';
import { ls } from './list.ts';
import { cat, head, sleep, tee, yes } from './streams.ts';
import { systemUtilities } from './system.ts';
import { env, nohup, timeout, xargs } from './wrappers.ts';

/** Commands that are programs elsewhere and small enough to be part of the shell here. */
export const utilities: ReadonlyMap<string, BuiltIn> = new Map(
	Object.entries({
		...systemUtilities,
		...adaptedUtilities,
		ls,
		wc,
		diff,
		cat,
		head,
		tee,
		yes,
		sleep,
		env,
		timeout,
		nohup,
		xargs,
		which
	})
);
