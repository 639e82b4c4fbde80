import type { BuiltIn } from '../state/host.ts';
import { which } from '../builtins/commands.ts';
import { adaptedUtilities } from './adapted.ts';
import { awk } from './awk/awk.ts';
import { wc } from './count.ts';
import { diff } from './difference.ts';
import { ls } from './list.ts';
import { sed } from './sed/sed.ts';
import { sleep, tee, yes } from './streams.ts';
import { systemUtilities } from './system.ts';
import { cat } from './text/cat.ts';
import { cut } from './text/cut.ts';
import { hexdump, od, xxd } from './text/dump.ts';
import { head, tail } from './text/ends.ts';
import { grep } from './text/grep.ts';
import { sort } from './text/sort.ts';
import { tr } from './text/tr.ts';
import { uniq } from './text/uniq.ts';
import { env, nohup, timeout, xargs } from './wrappers.ts';

/** Commands that are programs elsewhere and small enough to be part of the shell here. */
export const utilities: ReadonlyMap<string, BuiltIn> = new Map(
	Object.entries({
		...systemUtilities,
		...adaptedUtilities,
		...{ ls, wc, diff, cat, head, tail, tee, yes, sleep, env, timeout, nohup, xargs, which },
		...{ grep, egrep: grep, fgrep: grep, sed, awk, gawk: awk, mawk: awk, cut, tr, sort, uniq, od, xxd, hexdump, hd: hexdump }
	})
);
