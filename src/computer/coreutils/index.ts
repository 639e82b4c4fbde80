import type { BuiltIn } from '#computer/shell/state/host.ts';
import { which } from '#computer/shell/builtins/commands.ts';
import { gunzip, gzip, zcat } from './archives/gzip.ts';
import { patch } from './archives/patch.ts';
import { tar } from './archives/tar.ts';
import { zcmp, zdiff } from './archives/zdiff.ts';
import { zforce } from './archives/zforce.ts';
import { zegrep, zfgrep, zgrep } from './archives/zgrep.ts';
import { unzip, zip } from './archives/zip.ts';
import { zless } from './archives/zless.ts';
import { znew } from './archives/znew.ts';
import { awk } from './awk/awk.ts';
import { bc } from './calculator/bc.ts';
import { expr } from './calculator/expr.ts';
import { factor } from './calculator/factor.ts';
import { basename } from './files/basename.ts';
import { chgrp } from './files/chgrp.ts';
import { chmod } from './files/chmod.ts';
import { chown } from './files/chown.ts';
import { cp } from './files/cp.ts';
import { dd } from './files/dd.ts';
import { df } from './files/df.ts';
import { dirname } from './files/dirname.ts';
import { du } from './files/du.ts';
import { file } from './files/file.ts';
import { find } from './files/find.ts';
import { install } from './files/install.ts';
import { link } from './files/link.ts';
import { ln } from './files/ln.ts';
import { ls } from './files/ls/ls.ts';
import { mkdir } from './files/mkdir.ts';
import { mktemp } from './files/mktemp.ts';
import { mv } from './files/mv.ts';
import { pathchk } from './files/pathchk.ts';
import { readlink } from './files/readlink.ts';
import { realpath } from './files/realpath.ts';
import { rm } from './files/rm.ts';
import { rmdir } from './files/rmdir.ts';
import { shred } from './files/shred.ts';
import { mkfifo, mknod } from './files/special.ts';
import { split } from './files/split.ts';
import { stat } from './files/stat.ts';
import { touch } from './files/touch.ts';
import { tree } from './files/tree.ts';
import { truncate } from './files/truncate.ts';
import { unlink } from './files/unlink.ts';
import { xargs } from './files/xargs.ts';
import { make } from './make/make.ts';
import { curl } from './network/curl.ts';
import { fuser } from './network/fuser.ts';
import { lsof } from './network/lsof.ts';
import { netstat } from './network/netstat.ts';
import { ss } from './network/ss.ts';
import { wget } from './network/wget.ts';
import { sed } from './sed/sed.ts';
import { chroot } from './system/chroot.ts';
import { env } from './system/env.ts';
import { getconf } from './system/getconf.ts';
import { getopt } from './system/getopt.ts';
import { groups } from './system/groups.ts';
import { id } from './system/id.ts';
import { identity } from './system/identity.ts';
import { killall } from './system/killall.ts';
import { locale } from './system/locale.ts';
import { nice } from './system/nice.ts';
import { nohup } from './system/nohup.ts';
import { nproc } from './system/nproc.ts';
import { pgrep } from './system/pgrep.ts';
import { pidof } from './system/pidof.ts';
import { pkill } from './system/pkill.ts';
import { printenv } from './system/printenv.ts';
import { ps } from './system/ps.ts';
import { chcon, runcon } from './system/security-context.ts';
import { setsid } from './system/setsid.ts';
import { sleep } from './system/sleep.ts';
import { stdbuf } from './system/stdbuf.ts';
import { sync } from './system/sync.ts';
import { timeout } from './system/timeout.ts';
import { pwd } from './system/pwd.ts';
import { truth } from './system/true.ts';
import { tty } from './system/tty.ts';
import { uname } from './system/uname.ts';
import { uptime } from './system/uptime.ts';
import { pinky, who } from './system/who.ts';
import { clear } from './terminal/clear.ts';
import { less } from './terminal/less.ts';
import { stty } from './terminal/stty.ts';
import { base32, base64, basenc } from './text/basenc.ts';
import { cat } from './text/cat.ts';
import { checksums } from './text/checksum.ts';
import { cksum } from './text/cksum.ts';
import { column } from './text/column.ts';
import { comm } from './text/comm.ts';
import { cmp } from './text/cmp.ts';
import { csplit } from './text/csplit/csplit.ts';
import { cut } from './text/cut.ts';
import { diff } from './text/diff/diff.ts';
import { diff3 } from './text/diff/diff3.ts';
import { sdiff } from './text/diff/sdiff.ts';
import { echo } from './text/echo.ts';
import { envsubst } from './text/envsubst.ts';
import { expand } from './text/expand.ts';
import { fmt } from './text/fmt/fmt.ts';
import { fold } from './text/fold.ts';
import { grep } from './text/grep.ts';
import { head } from './text/head.ts';
import { hd, hexdump } from './text/hexdump/hexdump.ts';
import { join } from './text/join.ts';
import { nl } from './text/nl.ts';
import { numfmt } from './text/numfmt.ts';
import { od } from './text/od.ts';
import { paste } from './text/paste.ts';
import { pr } from './text/pr/pr.ts';
import { printf } from './text/printf.ts';
import { rev } from './text/rev.ts';
import { seq } from './text/seq.ts';
import { shuf } from './text/shuf.ts';
import { sort } from './text/sort.ts';
import { iconv } from './text/iconv.ts';
import { strings } from './text/strings.ts';
import { sum } from './text/sum.ts';
import { tac } from './text/tac.ts';
import { tail } from './text/tail.ts';
import { tee } from './text/tee.ts';
import { tr } from './text/tr.ts';
import { tsort } from './text/tsort.ts';
import { unexpand } from './text/unexpand.ts';
import { uniq } from './text/uniq.ts';
import { wc } from './text/wc.ts';
import { xxd } from './text/xxd.ts';
import { yes } from './text/yes.ts';
import { date } from './time/date.ts';

/** Commands that are programs elsewhere and small enough to be part of the shell here, by directory. */
export const utilities: ReadonlyMap<string, BuiltIn> = new Map(
	Object.entries({
		...{ gunzip, gzip, patch, tar, uncompress: gunzip, unzip, zcat, zip },
		...{ zcmp, zdiff, zegrep, zfgrep, zforce, zgrep, zless, zmore: zless, znew },
		...{ awk, gawk: awk, mawk: awk },
		...{ bc, expr, factor },
		...{
			basename,
			chgrp,
			chmod,
			chown,
			cp,
			dd,
			df,
			dirname,
			du,
			file,
			find,
			install,
			link,
			ln,
			dir: ls,
			ls,
			vdir: ls,
			mkdir,
			mkfifo,
			mknod,
			mktemp,
			mv,
			pathchk,
			readlink,
			realpath,
			rm,
			rmdir,
			shred,
			split,
			stat,
			touch,
			tree,
			truncate,
			unlink,
			xargs
		},
		...{ make, gmake: make },
		...{ curl, fuser, lsof, netstat, ss, wget },
		...{ sed },
		...{
			chcon,
			chroot,
			env,
			getconf,
			getopt,
			groups,
			id,
			...identity,
			killall,
			locale,
			nice,
			nohup,
			nproc,
			pgrep,
			pidof,
			pinky,
			uptime,
			pkill,
			printenv,
			ps,
			pwd,
			runcon,
			setsid,
			sleep,
			stdbuf,
			timeout,
			...truth,
			tty,
			sync,
			uname,
			who
		},
		...{ clear, less, more: less, stty },
		...{
			base32,
			base64,
			basenc,
			cat,
			...checksums,
			cksum,
			cmp,
			column,
			comm,
			csplit,
			cut,
			diff,
			diff3,
			echo,
			envsubst,
			expand,
			fmt,
			fold,
			grep,
			egrep: grep,
			fgrep: grep,
			head,
			hexdump,
			hd,
			join,
			nl,
			numfmt,
			od,
			paste,
			pr,
			printf,
			rev,
			sdiff,
			seq,
			shuf,
			sort,
			iconv,
			strings,
			sum,
			tac,
			tail,
			tee,
			tr,
			tsort,
			unexpand,
			uniq,
			wc,
			xxd,
			yes
		},
		...{ date },
		...{ which }
	})
);
