/**
 * Builtin commands of the shell. Each also is a file in `/usr/bin`, and runs as a separate process if another program
 * than the shell starts it.
 */
export const UTILITIES: ReadonlySet<string> = new Set(
	`[ arch awk b2sum base32 base64 basename basenc bc cat chcon chgrp chmod chown chroot cksum clear cmp column comm
	cp csplit curl cut date dd df diff diff3 dir dirname du echo egrep env envsubst expand expr factor false fgrep
	file find fmt fold fuser gawk getconf getopt gmake grep groups gunzip gzip hd head hexdump hostid hostname iconv
	id install join kill killall less link ln locale logname ls lsof make mawk md5sum mkdir mkfifo mknod mktemp more
	mv netstat nice nl nohup nproc numfmt od paste patch pathchk pgrep pidof pinky pkill pr printenv printf ps pwd
	readlink realpath rev rm rmdir runcon sdiff sed seq setsid sha1sum sha224sum sha256sum sha384sum sha512sum shred
	shuf sleep sort split ss stat stdbuf strings stty sum sync tac tail tar tee test timeout touch tr tree true
	truncate tsort tty uname uncompress unexpand uniq unlink unzip uptime users vdir wc wget which who whoami xargs
	xxd yes zcat zcmp zdiff zegrep zfgrep zforce zgrep zip zless zmore znew`.split(/\s+/)
);
