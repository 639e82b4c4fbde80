import { testFacts } from './bash-facts.ts';

testFacts({
	'links of every kind': [
		[
			'export LC_ALL=C; exec 2>&1; mkdir w; cd w; touch a b; ln b b~; ln -f --b=simple a b; echo $?; ls; rm -f *; touch a; ln -L -s a s1; ln -P -s s1 s2; ln -s -L -P s2 s3; ln -P -L s3 h1; stat -c%F h1; ln -L -P s3 h3; stat -c%N h3; ln -s /no-such; ln -L no-such hd; ln -P no-such hd; mkdir d; ln -s d ld; ln -L ld hl; ln -P ld/ hl; ln -P ld hl && stat -c%F hl; rm -rf *; ln -s r2 beta; ln -s beta latest; mkdir web; ln -sr latest web/latest; readlink web/latest; echo foo >a; ln -s . b; ln -sf a b; ln -T a no/; ln a a; ln -f a a; ln --backup a a; ln -sf --backup a a; rm -rf *; cd ..; rm -rf w',
			"0\na\nb\nb~\nregular empty file\n'h3' -> 's2'\nln: failed to access 'no-such': No such file or directory\nln: ld: hard link not allowed for directory\nln: ld/: hard link not allowed for directory\nsymbolic link\n../r2\nln: 'a' and 'b/a' are the same file\nln: failed to create hard link 'no/' => 'a': No such file or directory\nln: failed to create hard link 'a': File exists\nln: 'a' and 'a' are the same file\nln: 'a' and 'a' are the same file\n"
		]
	],
	'what stat tells of names': [
		[
			'export LC_ALL=C; exec 2>&1; mkdir w; cd w; touch f; ln -s f l1; mkdir d; ln -s d l2; stat -c%n l1/; stat -c%F l2 l2/; stat -Lc%F l2; touch "it\'s" "a b"; stat -c%N "it\'s" "a b" f; QUOTING_STYLE=locale stat -c%N "it\'s"; stat -c %n - <f; stat -f - <f; stat -fc \'%n %l %s\' f; stat -f no; rm -rf *; cd ..; rm -rf w',
			"stat: cannot statx 'l1/': Not a directory\nsymbolic link\ndirectory\ndirectory\n\"it's\"\n'a b'\n'f'\n'it\\'s'\n-\nstat: using '-' to denote standard input does not work in file system mode\nf 255 4096\nstat: cannot read file system information for 'no': No such file or directory\n"
		]
	],
	'numbers, bytes and terminals': [
		[
			"export LC_ALL=C; exec 2>&1; mkdir w; cd w; printf 'a\\r\\nb\\n\\rc\\r' | cat -E; for i in 3 7; do stat -c \"$(printf \"%${i}s\" %)\" .; done; echo abcdefg >in; (od -An -N3 -c; od -An -N3 -c) <in; printf 'a\\n\\\\:\\\\:\\nb\\n' >in; nl -v9223372036854775807 in; nl -p -v9223372036854775807 in; nl -v9223372036854775808 in; nl -d '' in; nl -i x in; tty a; tty -s </dev/null; echo $?; tty </dev/null >/dev/full; echo $?; cd ..; rm -rf w",
			"a^M$\nb$\n\rc\r  %\n      %\n   a   b   c\n   d   e   f\n9223372036854775807\ta\n\n9223372036854775807\tb\n9223372036854775807\ta\n\nnl: line number overflow\nnl: invalid starting line number: '9223372036854775808': Value too large for defined data type\n     1\ta\n     2\t\\:\\:\n     3\tb\nnl: invalid line number increment: 'x'\ntty: extra operand 'a'\nTry 'tty --help' for more information.\n1\ntty: write error: No space left on device\n3\n"
		]
	],
	'modes of new directories': [
		[
			'export LC_ALL=C; exec 2>&1; mkdir w; cd w; umask 027; mkdir -m =+x x; stat -c%A x; umask 160; mkdir -p p/q; stat -c%A p p/q; umask 022; mkdir -m o-w y; stat -c%A y; chmod -R u+rwx .; touch -d 2009-10-10 y; ln -s y ly; touch -h -r ly/ in; stat -c%y in; cd ..; rm -rf w',
			"d--x--x---\ndrwx--xrwx\ndrw---xrwx\ndrwxrwxr-x\ntouch: setting times of 'in': No such file or directory\nstat: cannot statx 'in': No such file or directory\n"
		]
	],
	'installed files': [
		[
			"export LC_ALL=C; exec 2>&1; mkdir w; cd w; echo test >a; install -Cv -m644 a b; install -Cv -m644 a b; install -v --compare -m644 a b; install -v -m644 a b; install -Cv -m2755 a b; install -Cv -m2755 a b; ln -s a c; ln -s b d; install -Cv -m644 c d; echo t2 >a; install -Cv -m644 a b; install -C --preserve-timestamps a b; install -C -s a b; install -d d1/. d2/..; ls; rm -rf *; printf 'sed s/b/B/ $1 > $1.t && mv $1.t $1\\n' >b; chmod a+x b; echo abc >src; install src dest -s --strip-program=./b; cat dest; install src dest2 -s --strip-program=./FOO; echo $?; ls dest2; mkdir d; install -v src dest d; install -vD src x/y/z; stat -c%a x/y/z d/src; install no d; install src; install; install -t d b; install -bv src dest; install -v --backup=t src dest; ls; install -d src; touch -d 2001-01-01 src; install -p src q; stat -c%y q; install src src; install d q; cd ..; rm -rf w",
			"'a' -> 'b'\nremoved 'b'\n'a' -> 'b'\ninstall: the --compare (-C) option is ignored when you specify a mode with non-permission bits\nremoved 'b'\n'a' -> 'b'\ninstall: the --compare (-C) option is ignored when you specify a mode with non-permission bits\nremoved 'b'\n'a' -> 'b'\nremoved 'd'\n'c' -> 'd'\nremoved 'b'\n'a' -> 'b'\ninstall: options --compare (-C) and --preserve-timestamps are mutually exclusive\nTry 'install --help' for more information.\ninstall: options --compare (-C) and --strip are mutually exclusive\nTry 'install --help' for more information.\na\nb\nc\nd\nd1\nd2\naBc\ninstall: cannot run './FOO': No such file or directory\ninstall: strip process terminated abnormally\n1\nls: cannot access 'dest2': No such file or directory\n'src' -> 'd/src'\n'dest' -> 'd/dest'\ninstall: creating directory 'x'\ninstall: creating directory 'x/y'\n'src' -> 'x/y/z'\n755\n755\ninstall: cannot stat 'no': No such file or directory\ninstall: missing destination file operand after 'src'\nTry 'install --help' for more information.\ninstall: missing file operand\nTry 'install --help' for more information.\n'src' -> 'dest' (backup: 'dest~')\n'src' -> 'dest' (backup: 'dest.~1~')\nb\nd\ndest\ndest.~1~\ndest~\nsrc\nx\ninstall: cannot create directory 'src': File exists\n2001-01-01 00:00:00.000000000 +0000\ninstall: 'src' and 'src' are the same file\ninstall: omitting directory 'd'\n"
		]
	],
	'real paths, draws and sets': [
		[
			"export LC_ALL=C; exec 2>&1; mkdir -p w/dir1/dir2; cd w; touch in dir1/f; for a in '--line-bytes=9223372036854775808' '--bytes=9223372036854775807'; do split $a in 2>&1 | head -n1; done; realpath -e --relative-to=dir1/ --relative-base=. .; realpath -e --relative-to=dir1/f --relative-base=. .; realpath --relative-base= --relative-to=. .; realpath -sm --relative-base=/usr --relative-to=/usr /tmp /usr; realpath -sm --relative-base=/usr /tmp /usr; realpath -sm --relative-base=/usr/local --relative-to=/usr /usr /usr/local; realpath -sm --relative-to=/ / // /dev; realpath -m ''; seq 3 >xaa; split -l1 - <xaa; cat xaa | head -n1; shuf -i 1-100 | sort -n | tail -1; shuf -r -n 0 in <&-; shuf -er; shuf -i0-0 1 | head -1; shuf -i1-99999999999999999999 -n2 | wc -l; shuf -n10 -i0-9 -n3 | wc -l; shuf -i0-9 -e A; shuf -nA; shuf -i5-3; shuf -i0-9 -o A -o B; shuf -ri0-9 | head -n 5 | wc -l; tr '[:upper:] ' '[:lower:]' </dev/null; echo 'abC.' | tr '[:lower:].' '[:upper:]x'; echo abc | tr '[:lower:]' '0-9'; ln -s $(printf '%0300d' 0) l; ln -sf $(printf '%0300d' 0) l; touch $(printf '%0300d' 0) 2>&1 | tail -c 21; touch -d 2001-01-01 old; touch - >>old; find old -newermt 2002-01-01; cd ..; rm -rf w",
			"split: invalid number of bytes: '9223372036854775808': Value too large for defined data type\n..\nrealpath: dir1/f: Not a directory\nrealpath: '': No such file or directory\n/tmp\n.\n/tmp\n.\n/usr\n/usr/local\n.\n.\ndev\nrealpath: '': No such file or directory\nsplit: 'xaa' would overwrite input; aborting\n1\n100\nshuf: no lines to repeat\nshuf: extra operand '1'\nTry 'shuf --help' for more information.\nshuf: invalid input range: '99999999999999999999': Value too large for defined data type\n0\n3\nshuf: cannot combine -e and -i options\nTry 'shuf --help' for more information.\nshuf: invalid line count: 'A'\nshuf: invalid input range: '5-3'\nshuf: multiple output files specified\n5\ntr: when translating with string1 longer than string2,\nthe latter string must not end with a character class\nABCx\n012\n: File name too long\nold\n"
		]
	],
	'file systems by their fields': [
		[
			"export LC_ALL=C; exec 2>&1; df --output .| head -1 | tr -s ' '; df -h --output=size,file . | head -1|tr -s ' '; df -t nono .; df --total -h . | tail -1 | tr -s ' ' | cut -d' ' -f1; df -i .| head -1| tr -s ' '; df -P .| head -1| tr -s ' '; df -T .| head -1| tr -s ' '; df --output=target --total . | tail -1;  df --output=source,target --total . | tail -1 | tr -s ' '; df nofile; df -B1M . | head -1 | tr -s ' ' ; df -i --output .; df --output=target,source,target .; df --output=x .; df --output=file . /tmp; df -k --si . | head -1 | tr -s ' '; df --total no",
			"Filesystem Type Inodes IUsed IFree IUse% 1K-blocks Used Avail Use% File Mounted on\n Size File\ndf: no file systems processed\ntotal\nFilesystem Inodes IUsed IFree IUse% Mounted on\nFilesystem 1024-blocks Used Available Capacity Mounted on\nFilesystem Type 1K-blocks Used Available Use% Mounted on\ntotal\ntotal -\ndf: nofile: No such file or directory\nFilesystem 1M-blocks Used Available Use% Mounted on\ndf: options -i and --output are mutually exclusive\nTry 'df --help' for more information.\ndf: option --output: field 'target' used more than once\nTry 'df --help' for more information.\ndf: option --output: field 'x' unknown\nTry 'df --help' for more information.\nFile\n.\n/tmp\nFilesystem Size Used Avail Use% Mounted on\ndf: no: No such file or directory\n"
		]
	],
	'links to the root and to directories': [
		[
			'export LC_ALL=C; exec 2>&1; mkdir d; ln -s / d/l; chown -RLh --preserve-root $(id -u) d; echo $?; chgrp -RHh --preserve-root $(id -g) d; echo $?; mkdir t; ln -s t tl; ls --hyperlink=always t tl | sed "s,file://[^/]*/.*/,file:///,"; rm -r d t tl',
			"chown: it is dangerous to operate recursively on 'd/l' (same as '/')\nchown: use --no-preserve-root to override this failsafe\n1\n0\n\x1b]8;;file:///t\u0007t\x1b]8;;\u0007:\n\n\x1b]8;;file:///t\u0007tl\x1b]8;;\u0007:\n"
		]
	]
});
