import { testFacts } from './bash-facts.ts';

const start = 'export LC_ALL=C TZ=UTC; exec 2>&1; mkdir w; cd w; ';
const end = '; cd ..; rm -r w';

/** A script in a separate directory. */
const inside = (script: string, stdout: string) => [start + script + end, stdout] as const;

testFacts({
	'what tar leaves out': [
		inside(
			"mkdir -p d/s; touch d/a.o d/a.c 'd/s/*' d/s/b.o d/B.O; tar cf a --exclude='*.o' d; tar tf a | sort; echo; tar cf a --no-wildcards --exclude='d/s/*' --ignore-case --wildcards --exclude='*.o' d; tar tf a | sort; echo; tar cf a --anchored --exclude=a.c --exclude=d/s d; tar tf a | sort",
			'd/\nd/B.O\nd/a.c\nd/s/\nd/s/*\n\nd/\nd/a.c\nd/s/\n\nd/\nd/B.O\nd/a.c\nd/a.o\n'
		),
		inside(
			"mkdir -p d/cache d/.git; echo 'Signature: 8a477f597d28d172789f06886806bc55' >d/cache/CACHEDIR.TAG; touch d/cache/x d/.git/x d/y~ d/y; tar cvf a --exclude-caches --exclude-vcs --exclude-backups d | sort; tar cf a --exclude-tag-all=x d 2>/dev/null; tar tf a | sort",
			'tar: d/cache/: contains a cache directory tag CACHEDIR.TAG; contents not dumped\nd/\nd/cache/\nd/cache/CACHEDIR.TAG\nd/y\nd/\nd/y\nd/y~\n'
		)
	],
	'archives that tar changes': [
		inside(
			'touch a b c; tar cf x a b; tar rvf x c; tar f x --delete b; tar tf x; tar f x --delete no; echo $?; tar cf y b; tar Af x y; tar tf x; cat x | tar f - --delete a | tar t',
			'c\na\nc\ntar: no: Not found in archive\ntar: Exiting with failure status due to previous errors\n2\na\nc\nb\nc\nb\n'
		),
		inside(
			'mkdir d; touch -d @1000 d/a d/b; tar cf x d; tar uvf x d; touch -d @2000 d/b; touch d/c; tar uvf x d | sort; tar tf x | sort',
			'd/b\nd/c\nd/\nd/a\nd/b\nd/b\nd/c\n'
		)
	],
	'names that tar changes': [
		inside(
			"mkdir d; touch d/a; ln -s a d/l; tar cvf x --transform='s/d/other/' --show-transformed-names d/a d/l; tar tf x --strip-components=1 --show-transformed-names; tar tf x --xform='s,other,\\U&,;s/a$/(&)/' --show-transformed; mkdir o; cd o; tar xf ../x --one-top-level=top; find . | sort; cd ..",
			'other/a\nother/l\na\nl\nOTHER/(a)\nOTHER/l\n.\n./top\n./top/other\n./top/other/a\n./top/other/l\n'
		),
		inside(
			'touch f; touch -d @0 f; chmod 640 f; tar cf x --owner=Ann:12 --group=Staff:34 --mode=u+x f; tar tvf x; tar tvf x --numeric-owner; tar cf x --mtime=@86400 -V label f; tar tf x; tar --test-label -f x; tar xf x -V other; echo $?',
			"-rwxr----- Ann/Staff         0 1970-01-01 00:00 f\n-rwxr----- 12/34             0 1970-01-01 00:00 f\nlabel\nf\nlabel\ntar: Volume 'label' does not match 'other'\ntar: Error is not recoverable: exiting now\n2\n"
		)
	],
	'files that tar finds in its way': [
		inside(
			'echo new >f; tar cf x f; echo mine >f; tar xf x -k; echo $?; cat f; tar xf x --skip-old-files; echo $?; cat f; tar xvf x --backup; cat f f~; mkdir o; ln -s ../f o/f; tar xf x -C o; readlink o/f; cat o/f',
			"tar: f: Cannot open: File exists\ntar: Exiting with failure status due to previous errors\n2\nmine\n0\nmine\nf\nRenaming 'f' to 'f~'\nnew\nmine\nnew\n"
		),
		inside(
			'mkdir -p d/e; echo 1 >d/e/f; tar cf x --remove-files d; ls; tar xf x; echo 2 >d/e/f; touch -d @5 d/e/f; tar df x; echo $?; rm d/e/f; tar df x; echo $?',
			'x\nd/e/f: Mod time differs\nd/e/f: Contents differ\n1\ntar: d/e/f: Warning: Cannot stat: No such file or directory\n1\n'
		)
	],
	'incremental archives and volumes of tar': [
		inside(
			'mkdir -p d/a d/b; echo 1 >d/a/1; echo 2 >d/2; sleep 1; tar -cf x1 -g snap d; mv d/a d/c; echo 3 >d/3; tar -cvf x2 -g snap d; rm -r d; tar xf x1 -g /dev/null; tar xf x2 -g /dev/null; find d | sort',
			"tar: d/c: Directory has been renamed from 'd/a'\nd/\nd/b/\nd/c/\nd/3\nd\nd/2\nd/3\nd/b\nd/c\nd/c/1\n"
		),
		inside(
			'head -c 15000 /dev/zero >a; head -c 12000 /dev/zero >b; tar cML 10 -f 1 -f 2 -f 3 -f 4 a b; tar tMf 1 -f 2 -f 3 -f 4; mkdir o; tar xMC o -f 1 -f 2 -f 3 -f 4; cmp a o/a && cmp b o/b && echo same; head -c 700 1 >cut; tar xf cut 2>/dev/null; echo $?',
			'a\nb\nsame\n2\n'
		)
	]
});
