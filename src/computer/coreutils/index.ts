import type { BuiltIn } from '#computer/shell/state/host.ts';
import { which } from '#computer/shell/builtins/commands.ts';
import { adaptedUtilities } from './adapted.ts';
import { patch } from './archives/patch.ts';
import { tar } from './archives/tar.ts';
import { unzip, zip } from './archives/zip.ts';
import { awk } from './awk/awk.ts';
import { base32 } from './text/base32.ts';
import { bc } from './calculator/bc.ts';
import { expr } from './calculator/expr.ts';
import { wc } from './count.ts';
import { nohup, setsid } from './detached.ts';
import { date } from './time/date.ts';
import { diff } from './difference.ts';
import { cp } from './files/copy.ts';
import { factor } from './calculator/factor.ts';
import { find } from './files/find.ts';
import { ln } from './files/link.ts';
import { ls } from './files/ls/ls.ts';
import { dd } from './files/dd.ts';
import { du } from './files/du.ts';
import { link } from './files/link-call.ts';
import { file, install, mkdir } from './files/make.ts';
import { chgrp, chown } from './files/ownership.ts';
import { rmdir } from './files/remove-directory.ts';
import { shred } from './files/shred.ts';
import { truncate } from './files/truncate.ts';
import { unlink } from './files/unlink.ts';
import { mv } from './files/move.ts';
import { rm } from './files/remove.ts';
import { basename, dirname } from './files/names.ts';
import { readlink, realpath } from './files/resolve.ts';
import { split } from './files/split.ts';
import { stat } from './files/stat.ts';
import { touch } from './files/touch.ts';
import { chmod } from './files/chmod.ts';
import { tree } from './files/tree.ts';
import { curl } from './network/curl.ts';
import { portUtilities } from './network/ports.ts';
import { wget } from './network/wget.ts';
import { sed } from './sed/sed.ts';
import { sleep, tee, yes } from './streams.ts';
import { systemUtilities } from './system.ts';
import { getopt } from './getopt.ts';
import { machineUtilities } from './machine.ts';
import { processUtilities } from './processes.ts';
import { less } from './terminal/less.ts';
import { stty } from './terminal/stty.ts';
import { make } from './make/make.ts';
import { cat } from './text/cat.ts';
import { checksums } from './text/checksums.ts';
import { cut } from './text/cut.ts';
import { hexdump, xxd } from './text/dump.ts';
import { nl } from './text/nl.ts';
import { od } from './text/od.ts';
import { head, tail } from './text/ends.ts';
import { grep } from './text/grep.ts';
import { join } from './text/join.ts';
import { numfmt, seq, shuf } from './text/numbers.ts';
import { envsubst } from './text/envsubst.ts';
import { cksum, fmt } from './text/paragraphs.ts';
import { sort } from './text/sort.ts';
import { sum } from './text/sum.ts';
import { expand, unexpand } from './text/tabs.ts';
import { tr } from './text/tr.ts';
import { uniq } from './text/uniq.ts';
import { env, nice, timeout } from './wrappers.ts';
import { xargs } from './xargs.ts';

/** Commands that are programs elsewhere and small enough to be part of the shell here. */
export const utilities: ReadonlyMap<string, BuiltIn> = new Map(
	Object.entries({
		...systemUtilities,
		...machineUtilities,
		...processUtilities,
		...portUtilities,
		...{ wget },
		...adaptedUtilities,
		...checksums,
		...{ wc, diff, getopt, cat, head, tail, tee, yes, sleep, env, timeout, nohup, setsid, nice, xargs, which, date },
		...{
			grep,
			egrep: grep,
			fgrep: grep,
			sed,
			awk,
			gawk: awk,
			mawk: awk,
			cut,
			tr,
			sort,
			uniq,
			nl,
			sum,
			expand,
			unexpand,
			od,
			xxd,
			hexdump,
			hd: hexdump
		},
		...{ expr, join, base32, stat, bc, seq, shuf, factor, numfmt, fmt, cksum, less, more: less, stty, curl },
		...{
			make,
			gmake: make,
			chmod,
			envsubst,
			ls,
			dir: ls,
			vdir: ls,
			find,
			tree,
			cp,
			basename,
			dirname,
			readlink,
			realpath,
			ln,
			mv,
			rm,
			mkdir,
			install,
			split,
			touch,
			truncate,
			link,
			unlink,
			chown,
			chgrp,
			rmdir,
			shred,
			dd,
			du,
			file,
			tar,
			zip,
			unzip,
			patch
		}
	})
);
