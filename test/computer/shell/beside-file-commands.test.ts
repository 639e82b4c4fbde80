import { testFacts } from './bash-facts.ts';

/** Runs each script in a new folder, errors among the output. */
const inAFolder = (facts: [script: string, stdout: string][]): [string, string][] =>
	facts.map(([script, stdout]) => [`mkdir f; cd f; export LC_ALL=C; { ${script}; } 2>&1; cd ..; rm -rf f`, stdout]);

testFacts({
	copies: inAFolder([
		[
			'echo 1 >a; echo 2 >b; cp -b a b; ls; cat b; cp --backup=t a b; cp -S .old a b; ls; cp --backup=x a b; echo $?',
			"a\nb\nb~\n1\na\nb\nb.~1~\nb.~2~\nb~\ncp: invalid argument 'x' for 'backup type'\nValid arguments are:\n  - 'none', 'off'\n  - 'simple', 'never'\n  - 'existing', 'nil'\n  - 'numbered', 't'\nTry 'cp --help' for more information.\n1\n"
		],
		[
			'echo 1 >a; ln -s a s; cp a s; cp s a; cp -d s s2; readlink s2; cp --remove-destination a s; cat s; cp -l a h; [ a -ef h ]; echo $?; cp -s a y; readlink y; mkdir d; cp -s a d/y; cp -l -s a z',
			"cp: 'a' and 's' are the same file\ncp: 's' and 'a' are the same file\na\n1\n0\na\ncp: d/y: can make relative symbolic links only in current directory\ncp: cannot make both hard and symbolic links\nTry 'cp --help' for more information.\n"
		],
		[
			'mkdir -p a/b/c; echo 1 >a/b/c/f; mkdir d; cp -v --parents a/b/c/f d; cp --parents a/b/c/f x; cp -r a a/b; cp a x; cp -T a/b/c/f d; cp -r a d/a/b/c/f',
			"a -> d/a\na/b -> d/a/b\na/b/c -> d/a/b/c\n'a/b/c/f' -> 'd/a/b/c/f'\ncp: with --parents, the destination must be a directory\nTry 'cp --help' for more information.\ncp: cannot copy a directory, 'a', into itself, 'a/b/a'\ncp: -r not specified; omitting directory 'a'\ncp: cannot overwrite directory 'd' with non-directory\ncp: cannot overwrite non-directory 'd/a/b/c/f' with directory 'a'\n"
		],
		[
			'mkdir a b c; echo 1 >a/f; echo 2 >b/f; cp a/f b/f c; cat c/f; cp a/f a/f c; ln -s no g; cp a/f g; cp -f a/f g; ln -s l l; cp -f a/f l; cat l; cp no x; cp a/f; cp; cp -n a/f c/f; cp --preserve=foo a/f x',
			"cp: will not overwrite just-created 'c/f' with 'b/f'\n1\ncp: warning: source file 'a/f' specified more than once\ncp: not writing through dangling symlink 'g'\ncp: not writing through dangling symlink 'g'\n1\ncp: cannot stat 'no': No such file or directory\ncp: missing destination file operand after 'a/f'\nTry 'cp --help' for more information.\ncp: missing file operand\nTry 'cp --help' for more information.\ncp: invalid argument 'foo' for '--preserve'\nValid arguments are:\n  - 'mode'\n  - 'timestamps'\n  - 'ownership'\n  - 'links'\n  - 'context'\n  - 'xattr'\n  - 'all'\nTry 'cp --help' for more information.\n"
		],
		[
			"echo 1 >a; ln a b; mkdir d; cp --preserve=links a b d; [ d/a -ef d/b ]; echo $?; echo n | cp -i a d/a; echo; chmod 604 a; cp a new; cp -p a kept; stat -c '%n %a' new kept; cp --no-preserve=mode a loose; stat -c %a loose; cp --attributes-only a empty; stat -c %s empty",
			"0\ncp: overwrite 'd/a'? \nnew 604\nkept 604\n644\n0\n"
		]
	]),
	removals: inAFolder([
		[
			"mkdir -p a/b; touch a/b/x; printf 'y\\ny\\ny\\nn\\n' | rm -ri a; echo; find a | sort; echo 1 >c; ln -s no l; printf 'n\\ny\\n' | rm -i c l; echo; ls",
			"rm: descend into directory 'a'? rm: descend into directory 'a/b'? rm: remove regular empty file 'a/b/x'? rm: remove directory 'a/b'? rm: remove directory 'a'? \na\na/b\nrm: remove regular file 'c'? rm: remove symbolic link 'l'? \na\nc\n"
		],
		[
			"touch a b c d; printf 'n\\n' | rm -I a b c d; echo; ls; printf 'y\\n' | rm --interactive=once -r a; echo; ls; rm --interactive=x a; rm -d .; mkdir e; rm -dv e; mkdir -p f/g; rm -d f; rm f; rm -rv f///; rm -f no no/x; rm no; rm; rm -r . ..; rm -r /",
			"rm: remove 4 arguments? \na\nb\nc\nd\nrm: remove 1 argument recursively? \nb\nc\nd\nrm: invalid argument 'x' for '--interactive'\nValid arguments are:\n  - 'never', 'no', 'none'\n  - 'once'\n  - 'always', 'yes'\nTry 'rm --help' for more information.\nrm: cannot remove '.': Directory not empty\nremoved directory 'e'\nrm: cannot remove 'f': Directory not empty\nrm: cannot remove 'f': Is a directory\nremoved directory 'f/g'\nremoved directory 'f/'\nrm: cannot remove 'no': No such file or directory\nrm: missing operand\nTry 'rm --help' for more information.\nrm: refusing to remove '.' or '..' directory: skipping '.'\nrm: refusing to remove '.' or '..' directory: skipping '..'\nrm: it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this failsafe\n"
		]
	]),
	modes: inAFolder([
		[
			'touch f; chmod a=,u=rwx,g=u,o=g f; stat -c %a f; chmod -v u=r-w+x f; chmod =2755 f; stat -c %a f; chmod +1000 f; stat -c %a f; chmod g=o-x f; stat -c %a f; chmod u+7 f; chmod 10000 f; chmod; chmod f; chmod z f; chmod --reference=no f',
			"777\nmode of 'f' changed from 0777 (rwxrwxrwx) to 0577 (r-xrwxrwx)\n2755\n3755\n1745\nchmod: invalid mode: 'u+7'\nTry 'chmod --help' for more information.\nchmod: invalid mode: '10000'\nTry 'chmod --help' for more information.\nchmod: missing operand\nTry 'chmod --help' for more information.\nchmod: missing operand after 'f'\nTry 'chmod --help' for more information.\nchmod: invalid mode: 'z'\nTry 'chmod --help' for more information.\nchmod: failed to get attributes of 'no': No such file or directory\n"
		],
		[
			'mkdir d; chmod 6755 d; chmod 755 d; stat -c %a d; chmod u=rwx d; stat -c %a d; chmod 00755 d; stat -c %a d; chmod g+s d; chmod -s d; stat -c %a d; umask 027; touch g; chmod 0 g; chmod +rw g; stat -c %a g; chmod -r g; ln -s no l; chmod 644 l; chmod -v 600 l no; chmod -c 600 g; chmod -c 600 g; chmod -R --preserve-root a=r /',
			"6755\n6755\n755\n755\n640\nchmod: cannot operate on dangling symlink 'l'\nchmod: cannot operate on dangling symlink 'l'\n'l' could not be accessed\nchmod: cannot access 'no': No such file or directory\n'no' could not be accessed\nmode of 'g' changed from 0200 (-w-------) to 0600 (rw-------)\nchmod: it is dangerous to operate recursively on '/'\nchmod: use --no-preserve-root to override this failsafe\n"
		]
	]),
	times: inAFolder([
		[
			"TZ=UTC0 touch -t 197001010000.60 f; stat -c '%.9Y %.1Y %Y' f; touch -d '2020-01-02 03:04:05 UTC' f; touch -r f -d '-1 hour' g; stat -c %Y f g; touch -c no; touch no/; touch f/; touch -t 13010000 h; touch -d 'no date' h; touch; touch -t 01010000 -d now h; touch -r no h; ls",
			"60.000000000 60.0 60\n1577934245\n1577930645\ntouch: setting times of 'no/': No such file or directory\ntouch: setting times of 'f/': Not a directory\ntouch: invalid date format '13010000'\ntouch: invalid date format 'no date'\ntouch: missing file operand\nTry 'touch --help' for more information.\ntouch: cannot specify times from more than one source\nTry 'touch --help' for more information.\ntouch: failed to get attributes of 'no': No such file or directory\nf\ng\n"
		],
		[
			"touch --time=foo a; touch -h no; touch ''; ln -s loop loop; touch loop; ln -s d l; touch l; ls",
			"touch: invalid argument 'foo' for '--time'\nValid arguments are:\n  - 'atime', 'access', 'use'\n  - 'mtime', 'modify'\nTry 'touch --help' for more information.\ntouch: setting times of 'no': No such file or directory\ntouch: cannot touch '': No such file or directory\ntouch: cannot touch 'loop': Too many levels of symbolic links\nd\nl\nloop\n"
		]
	]),
	'sizes of trees': inAFolder([
		[
			"mkdir -p a/b/c; head -c 5000 /dev/zero >a/x; echo 1 >a/b/y; ln a/x a/b/z; du -k a | sort; du -ak a | sort -k2; du -S a | sort; du -s a a/b; du -c --apparent-size a/x a/b/y; du -l a | sort; du -d1 a | sort; du --inodes a | sort; du -h a/x; du -B 512 a/x; du -BK a/x; du --si -s a; du -t 9000 a; du -t -5000 a | sort; du --exclude=y -a a | sort; printf 'a/x\\0\\0no\\0' | du --files0-from=-; du -sa a; du -d x a; du no; du -t -0 a",
			"20\ta/b\n24\ta\n4\ta/b/c\n24\ta\n20\ta/b\n4\ta/b/c\n4\ta/b/y\n8\ta/b/z\n16\ta/b\n4\ta\n4\ta/b/c\n24\ta\n5\ta/x\n1\ta/b/y\n5\ttotal\n20\ta/b\n32\ta\n4\ta/b/c\n20\ta/b\n24\ta\n1\ta/b/c\n4\ta/b\n5\ta\n8.0K\ta/x\n16\ta/x\n8K\ta/x\n25k\ta\n20\ta/b\n24\ta\n4\ta/b/c\n16\ta/b\n20\ta\n4\ta/b/c\n8\ta/b/z\n8\ta/x\ndu: -:2: invalid zero-length file name\ndu: cannot access 'no': No such file or directory\ndu: cannot both summarize and show all entries\nTry 'du --help' for more information.\ndu: invalid maximum depth 'x'\nTry 'du --help' for more information.\ndu: cannot access 'no': No such file or directory\ndu: invalid --threshold argument '-0'\n"
		]
	]),
	'blocks of dd': inAFolder([
		[
			"printf 'abcdefgh' >i; dd if=i bs=3 skip=1 count=1 status=none; echo; dd if=i of=o bs=2 seek=1 status=none; od -c o; dd if=i of=o bs=1 seek=2 count=3 conv=notrunc status=none; od -c o; dd if=i conv=swab,ucase status=none; echo; dd if=i ibs=3 conv=sync status=none | od -c; printf 'ab\\ncdefg\\n' | dd conv=block cbs=4 status=noxfer; echo; printf 'ab  cdef' | dd conv=unblock cbs=4 status=none; dd if=i conv=ebcdic status=none | dd conv=ascii status=none; echo; dd if=i count=3B status=none; echo; dd if=no; dd conv=foo; dd foo=1; dd bs=0; dd conv=lcase,ucase; dd if=i iflag=skip_bytes,count_bytes skip=2 count=3 status=none; echo; dd if=i of=o conv=excl; dd if=i of=n conv=nocreat; dd if=i of=/dev/null bs=2x2 status=noxfer",
			"def\n0000000  \\0  \\0   a   b   c   d   e   f   g   h\n0000012\n0000000  \\0  \\0   a   b   c   d   e   f   g   h\n0000012\nBADCFEHG\n0000000   a   b   c   d   e   f   g   h  \\0\n0000011\nab  cdef0+1 records in\n0+1 records out\n1 truncated record\n\nab\ncdef\nabcdefgh\nabc\ndd: failed to open 'no': No such file or directory\ndd: invalid conversion: 'foo'\nTry 'dd --help' for more information.\ndd: unrecognized operand 'foo=1'\nTry 'dd --help' for more information.\ndd: invalid number: '0'\ndd: cannot combine lcase and ucase\ncde\ndd: failed to open 'o': File exists\ndd: failed to open 'n': No such file or directory\n2+0 records in\n2+0 records out\n"
		]
	]),
	'moves onto files': inAFolder([
		[
			'touch f1 f2; mv --target=.; mv no-file; mv f1 f2 f1; mv --target=f2 f1; mkdir a b c; echo a >a/f; echo b >b/f; mv a/f b/f c; cat c/f; ln -s x s2; ln s2 s1; mv s1 s2; mv --backup s1 s2; readlink s2~ s2; ls; mv -nb f1 f2; echo n | mv -i f1 f2; echo; ls; mv f1 f1; mv a a/b; mv a/ d; ls',
			"mv: missing file operand\nTry 'mv --help' for more information.\nmv: missing destination file operand after 'no-file'\nTry 'mv --help' for more information.\nmv: target 'f1': Not a directory\nmv: target directory 'f2': Not a directory\nmv: will not overwrite just-created 'c/f' with 'b/f'\na\nmv: 's1' and 's2' are the same file\nx\nx\na\nb\nc\nf1\nf2\ns2\ns2~\nmv: options --backup and --no-clobber are mutually exclusive\nTry 'mv --help' for more information.\nmv: overwrite 'f2'? \na\nb\nc\nf1\nf2\ns2\ns2~\nmv: 'f1' and 'f1' are the same file\nmv: cannot move 'a' to a subdirectory of itself, 'a/b'\nb\nc\nd\nf1\nf2\ns2\ns2~\n"
		],
		[
			'echo a >a; echo b >b; mkdir c; ln -f a c/a; [ a -ef c/a ]; echo $?; mkdir x; echo 2 >x/a; ln -f a x/a c; [ a -ef c/a ]; echo $?',
			"0\nln: will not overwrite just-created 'c/a' with 'x/a'\n0\n"
		]
	]),
	'options that a command does not know': inAFolder([
		[
			"printf '%s\\n' a --version | grep -e --version; sed --version | sed 1q; wc --version --nosuch | sed 1q",
			'--version\nsed (GNU sed) 4.9\nwc (GNU coreutils) 9.1\n'
		],
		[
			"cat --foo; cat -k; ls --si=3; sort -k; cut --delimiter; wc -c --lin </dev/null; cat --version | head -1; cp --version | head -1; printf '1 2\\n' >a; printf 'a\\0a\\0' | wc -w --files0-from=-; wc --files0-from=no; wc a --files0-from=-",
			"cat: unrecognized option '--foo'\nTry 'cat --help' for more information.\ncat: invalid option -- 'k'\nTry 'cat --help' for more information.\nls: option '--si' doesn't allow an argument\nTry 'ls --help' for more information.\nsort: option requires an argument -- 'k'\nTry 'sort --help' for more information.\ncut: option '--delimiter' requires an argument\nTry 'cut --help' for more information.\n      0       0\ncat (GNU coreutils) 9.1\ncp (GNU coreutils) 9.1\n2 a\n2 a\n4 total\nwc: cannot open 'no' for reading: No such file or directory\nwc: extra operand 'a'\nfile operands cannot be combined with --files0-from\nTry 'wc --help' for more information.\n"
		]
	]),
	'parts of a file': inAFolder([
		[
			'seq 12 >i; split -l5 i; ls; cat xac; split -b3 --additional-suffix=.t i y; ls y* | wc -l; split -n 3 i c; wc -c c*; split -n l/3 i l; wc -l l*; split -n r/2 i r; head -2 raa; split -n l/2/3 i; split -C 6 i z; head -2 zab; rm -f ?a?*; truncate -s91 j; split -d -b1 j n; ls n* | tail -2; split -n 110 -e i e; ls e* | tail -1; split -x -l3 --verbose i h',
			"i\nxaa\nxab\nxac\n11\n12\n9\n 9 caa\n 9 cab\n 9 cac\n27 total\n 5 laa\n 4 lab\n 3 lac\n12 total\n1\n3\n6\n7\n8\n9\n4\n5\nn89\nn9000\neba\ncreating file 'h00'\ncreating file 'h01'\ncreating file 'h02'\ncreating file 'h03'\n"
		],
		[
			"seq 3 >i; split -l0 i; split -b x i; split -n 0 i; split -n l/16/15 i; split -a1 -n 30 i; split -a1 -l1 -b1 i; split no; split i a b; split -t ab i; split -t '' i; split --additional-suffix=a/b i; split -d -a1 --numeric-suffixes=89 i; echo a >xaa; split -l1 xaa; : | split -n 2; ls",
			"split: invalid number of lines: '0': Numerical result out of range\nsplit: invalid number of bytes: 'x'\nsplit: invalid number of chunks: '0': Numerical result out of range\nsplit: invalid chunk number: '16': Numerical result out of range\nsplit: the suffix length needs to be at least 2\nsplit: cannot split in more than one way\nTry 'split --help' for more information.\nsplit: cannot open 'no' for reading: No such file or directory\nsplit: extra operand 'b'\nTry 'split --help' for more information.\nsplit: multi-character separator 'ab'\nsplit: empty record separator\nsplit: invalid suffix 'a/b', contains directory separator\nTry 'split --help' for more information.\nsplit: numerical suffix start value is too large for the suffix length\nTry 'split --help' for more information.\nsplit: 'xaa' would overwrite input; aborting\nsplit: -: cannot determine file size\ni\nxaa\n"
		]
	]),
	'sizes of files': inAFolder([
		[
			"truncate -s 3K a; truncate -s +5 a; truncate -s '<2000' a; stat -c %s a; truncate -s %512 a; truncate -r a b; truncate -s -1 -r a b; stat -c %s a b; truncate -s /100 a; stat -c %s a; truncate -c -s 1 no; truncate; truncate -s 1; truncate a; truncate -s x a; truncate -s 1 -r a b; truncate -o -r a b; truncate -s %0 a; truncate -s '>-1' a; truncate -s 1 no/such; truncate -s 1 no/; ls",
			"2000\n2048\n2047\n2000\ntruncate: you must specify either '--size' or '--reference'\nTry 'truncate --help' for more information.\ntruncate: missing file operand\nTry 'truncate --help' for more information.\ntruncate: you must specify either '--size' or '--reference'\nTry 'truncate --help' for more information.\ntruncate: Invalid number: 'x'\ntruncate: you must specify a relative '--size' with '--reference'\nTry 'truncate --help' for more information.\ntruncate: '--io-blocks' was specified but '--size' was not\nTry 'truncate --help' for more information.\ntruncate: division by zero\ntruncate: multiple relative modifiers specified\nTry 'truncate --help' for more information.\ntruncate: cannot open 'no/such' for writing: No such file or directory\ntruncate: cannot open 'no/' for writing: Is a directory\na\nb\n"
		]
	]),
	'directories that are removed': inAFolder([
		[
			'mkdir -p a/b/c d/e; ln -s d l; touch f; ln -s f k; ln -s no n; rmdir -p a/b/c; ls; rmdir d; rmdir --ignore-fail-on-non-empty d; echo $?; rmdir -v d/e; rmdir l/ k/ n/ f no; rmdir; rmdir d/.; mkdir -p d/e; rmdir -p l/e; ls d',
			"d\nf\nk\nl\nn\nrmdir: failed to remove 'd': Directory not empty\n0\nrmdir: removing directory, 'd/e'\nrmdir: failed to remove 'l/': Symbolic link not followed\nrmdir: failed to remove 'k/': Not a directory\nrmdir: failed to remove 'n/': Symbolic link not followed\nrmdir: failed to remove 'f': Not a directory\nrmdir: failed to remove 'no': No such file or directory\nrmdir: missing operand\nTry 'rmdir --help' for more information.\nrmdir: failed to remove 'd/.': Invalid argument\nrmdir: failed to remove 'l': Not a directory\n"
		]
	]),
	'names and owners': inAFolder([
		[
			'touch a; link a b; [ a -ef b ]; echo $?; link; link a; link a b c; link a b; unlink b; unlink b; unlink; unlink a b; ls; chown; chown no_such_user a; chgrp no_such_group a; ls',
			"0\nlink: missing operand\nTry 'link --help' for more information.\nlink: missing operand after 'a'\nTry 'link --help' for more information.\nlink: extra operand 'c'\nTry 'link --help' for more information.\nlink: cannot create link 'b' to 'a': File exists\nunlink: cannot unlink 'b': No such file or directory\nunlink: missing operand\nTry 'unlink --help' for more information.\nunlink: extra operand 'b'\nTry 'unlink --help' for more information.\na\nchown: missing operand\nTry 'chown --help' for more information.\nchown: invalid user: 'no_such_user'\nchgrp: invalid group: 'no_such_group'\na\n"
		],
		[
			'shred -n0 -vu no; touch 000 test; shred -n0 -vu test; printf 12345 >f; shred -n1 -x f; stat -c %s f; shred -z -n0 -s 10 f; od -An -c f; shred; shred -n x f; shred -s-2 f; printenv -0 HOME | od -An -c; printenv NO; echo $?; OMP_NUM_THREADS=2 nproc; OMP_NUM_THREADS=2 nproc --ignore=9; nproc --ignore=x; nproc a',
			"shred: no: failed to open for writing: No such file or directory\nshred: test: removing\nshred: test: renamed to 0000\nshred: 0000: renamed to 001\nshred: 001: renamed to 00\nshred: 00: renamed to 0\nshred: test: removed\n5\n  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\nshred: missing file operand\nTry 'shred --help' for more information.\nshred: invalid number of passes: 'x'\nshred: invalid file size: '-2'\n   /   h   o   m   e   /   u   s   e   r  \\0\n1\n2\n1\nnproc: invalid number: 'x'\nnproc: extra operand 'a'\nTry 'nproc --help' for more information.\n"
		]
	])
});
