import { testFacts } from './bash-facts.ts';

/** Runs each script in a new folder with a file, a folder and three links, errors among the output. */
const besideAFolder = (facts: [script: string, stdout: string][]): [string, string][] =>
	facts.map(([script, stdout]) => [
		`mkdir f; cd f; mkdir -p d/sub; echo 1 >d/reg; ln -sfn sub d/dl; ln -sf reg d/rl; ln -sf none d/gone; { ${script}; } 2>&1; cd ..; rm -r f`,
		stdout
	]);

testFacts({
	'links in directories, relative and backed up': [
		[
			'mkdir l; cd l; mkdir d; echo 1 >a; echo 2 >b; ln -s "$PWD/a" "$PWD/b" d; cat d/a d/b; ln a b d 2>/dev/null; echo $?; ln -f a b d; [ a -ef d/a ]; echo $?; cd ..; rm -r l',
			'1\n2\n1\n0\n'
		],
		[
			'mkdir l; cd l; mkdir -p d/e; echo 1 >a; ln -srv a d/e/x; readlink d/e/x; ln -s d k; ln -sfn a k; readlink k; ln -sf --backup=numbered b k; ls; ln -sT a d 2>&1; (cd d/e; ln -s ../../a); cat d/e/a; cd ..; rm -r l',
			"'d/e/x' -> '../../a'\n../../a\na\na\nd\nk\nk.~1~\nln: failed to create symbolic link 'd': File exists\n1\n"
		],
		[
			'mkdir l; cd l; ln no y 2>&1; ln . y 2>&1; ln -s x x; ln x z; readlink z; ln -s a b c 2>&1; cd ..; rm -r l',
			"ln: failed to access 'no': No such file or directory\nln: .: hard link not allowed for directory\nx\nln: target 'c': No such file or directory\n"
		]
	],
	moves: [
		[
			'mkdir m; cd m; mkdir d; echo 1 >a; echo 2 >b; echo 3 >c; mv -v a b d; mv -n c d/a; ls . d; mv -b -S .old c d/a; cat d/a d/a.old; mv -t . d/a d/b; ls; cd ..; rm -r m',
			"renamed 'a' -> 'd/a'\nrenamed 'b' -> 'd/b'\n.:\nc\nd\n\nd:\na\nb\n3\n1\na\nb\nd\n"
		],
		[
			'mkdir m; cd m; mkdir -p d/s e/d/x; touch f; ln f g; mv f g 2>&1; ls; mv d d/s 2>&1; mv d e 2>&1; mv g d/s/ && ls d/s; touch h; mv -T h d 2>&1; mv e h 2>&1; mv no h 2>&1; cd ..; rm -r m',
			"mv: 'f' and 'g' are the same file\nd\ne\nf\ng\nmv: cannot move 'd' to a subdirectory of itself, 'd/s/d'\nmv: cannot move 'd' to 'e/d': Directory not empty\ng\nmv: cannot overwrite directory 'd' with non-directory\nmv: cannot overwrite non-directory 'h' with directory 'e'\nmv: cannot stat 'no': No such file or directory\n"
		],
		[
			'mkdir m; cd m; echo 1 >a; echo 2 >b; echo n | mv -i a b 2>/dev/null; cat b; echo y | mv -i a b 2>/dev/null; cat b; cd ..; rm -r m',
			'2\n1\n'
		]
	],
	'names and real paths': [
		[
			"basename foo foo; basename /; basename a/b.c/ .c; basename -s .h x.h d/y.h; basename -a a/b c; dirname / //a a/b///c /x ''",
			'foo\n/\nb\nx\ny\nb\nc\n/\n/\na/b\n/\n.\n'
		],
		[
			'mkdir p; cd p; ln -s d/no gone; ln -s no/where far; ln -s loop loop; mkdir d; b=${PWD%/p}; for f in gone far loop d/../gone none no/ne \'\'; do readlink -f "$f" | sed "s,^$b,,"; realpath -q "$f" | sed "s,^$b,,"; realpath -qm "$f" | sed "s,^$b,,"; done; realpath -e gone 2>&1; readlink gone none; echo $?; realpath --relative-to=d far/x 2>&1; cd ..; rm -r p',
			'/p/d/no\n/p/d/no\n/p/d/no\n/p/no/where\n/p/loop\n/p/d/no\n/p/d/no\n/p/d/no\n/p/none\n/p/none\n/p/none\n/p/no/ne\nrealpath: gone: No such file or directory\nd/no\n1\nrealpath: far/x: No such file or directory\n'
		]
	],
	'ranges and labels of sed': [
		[
			"seq 5 | sed -n '1d;1,3p'; seq 6 | sed -n '2,4{d};2,3p'; seq 6 | sed -n '2,3d;2,4p'; seq 6 | sed -n '1d;1,/4/p'; seq 3 | sed -n '3,1p;2,2p'; printf '1\\n2\\n' >sd; sed -sn '1,1p' sd sd; rm sd",
			'2\n3\n4\n2\n3\n4\n2\n3\n1\n1\n'
		],
		[
			"sed 'b nowhere' </dev/null 2>&1; echo $?; sed -i p 2>&1; echo $?",
			"sed: can't find label for jump to `nowhere'\n4\nsed: no input files\n4\n"
		]
	],
	'bytes that tr translates, deletes and squeezes': [
		[
			"printf '\\351' | tr '\\351' x; echo é | tr é e; echo abc | tr -c '[:lower:]' xy 2>&1; echo hello | tr helo '[x*2]yz'; echo hello | tr a-z 'A-C'; echo hello | tr -t a-z A-C; printf 'a\\0b' | tr '\\0' x; echo hello | tr '[=l=]' x",
			'xee\ntr: when translating with complemented character classes,\nstring2 must map all characters in the domain to one\nxxyyz\nCCCCC\nhello\naxbhexxo\n'
		],
		[
			"echo aabbcc | tr -s ab xy; echo hello | tr -ds h l; echo a-b | tr -- -a xy; echo abc | tr abc '' 2>&1; echo abc | tr abc '[:digit:]' 2>&1; echo abc | tr -d a b 2>/dev/null; echo $?; echo x | tr a '[:foo:]' 2>/dev/null; echo $?",
			"xycc\nelo\nyxb\ntr: when not truncating set1, string2 must be non-empty\ntr: when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'\n1\n1\n"
		]
	],
	'errors of a sed script': [
		["sed 's/./x/pp' </dev/null 2>&1", "sed: -e expression #1, char 8: multiple `p' options to `s' command\n"],
		["sed 's/./x/gg' </dev/null 2>&1", "sed: -e expression #1, char 8: multiple `g' options to `s' command\n"],
		["sed 's/./x/0' </dev/null 2>&1", "sed: -e expression #1, char 7: number option to `s' command may not be zero\n"],
		["sed 's/./x/2p3' </dev/null 2>&1", "sed: -e expression #1, char 9: multiple number options to `s' command\n"],
		["sed 's/./x/Q' </dev/null 2>&1", "sed: -e expression #1, char 7: unknown option to `s'\n"],
		["sed '~1d' </dev/null 2>&1", 'sed: -e expression #1, char 2: invalid usage of +N or ~N as first address\n'],
		["sed '1!!d' </dev/null 2>&1", "sed: -e expression #1, char 3: multiple `!'s\n"],
		['sed --posix 1e </dev/null 2>&1', "sed: -e expression #1, char 2: unknown command: `e'\n"],
		['sed --posix 1,2= </dev/null 2>&1', 'sed: -e expression #1, char 4: command only uses one address\n'],
		['sed 1,2q </dev/null 2>&1', 'sed: -e expression #1, char 4: command only uses one address\n'],
		["sed '1#foo' </dev/null 2>&1", "sed: -e expression #1, char 2: comments don't accept any addresses\n"],
		["sed '1}' </dev/null 2>&1", "sed: -e expression #1, char 2: unexpected `}'\n"],
		["sed '1{' </dev/null 2>&1", "sed: -e expression #1, char 0: unmatched `{'\n"],
		["sed '{1}' </dev/null 2>&1", "sed: -e expression #1, char 3: `}' doesn't want any addresses\n"],
		["sed 'v9.0' </dev/null 2>&1", 'sed: -e expression #1, char 4: expected newer version of sed\n'],
		["sed '11111=d' </dev/null 2>&1", 'sed: -e expression #1, char 7: extra characters after command\n'],
		["sed 'y/a/b/d' </dev/null 2>&1", 'sed: -e expression #1, char 7: extra characters after command\n'],
		["sed '1111{}d' </dev/null 2>&1", 'sed: -e expression #1, char 7: extra characters after command\n'],
		["sed '22222ld' </dev/null 2>&1", 'sed: -e expression #1, char 7: extra characters after command\n'],
		['sed 1a </dev/null 2>&1', "sed: -e expression #1, char 2: expected \\ after `a', `c' or `i'\n"],
		['sed --posix afoo </dev/null 2>&1', "sed: -e expression #1, char 2: expected \\ after `a', `c' or `i'\n"],
		["sed '2:' </dev/null 2>&1", "sed: -e expression #1, char 2: : doesn't want any addresses\n"],
		['sed : </dev/null 2>&1', 'sed: -e expression #1, char 1: ":" lacks a label\n'],
		["sed '1111y' </dev/null 2>&1", "sed: -e expression #1, char 5: unterminated `y' command\n"],
		["sed '111y/' </dev/null 2>&1", "sed: -e expression #1, char 5: unterminated `y' command\n"],
		["sed '1y/a/' </dev/null 2>&1", "sed: -e expression #1, char 5: unterminated `y' command\n"],
		["sed 'y/a/bb/' </dev/null 2>&1", "sed: -e expression #1, char 7: strings for `y' command are different lengths\n"],
		["sed --posix -e 'a\\' -e foo </dev/null 2>&1", 'sed: -e expression #1, char 2: incomplete command\n'],
		['sed r </dev/null 2>&1', 'sed: -e expression #1, char 1: missing filename in r/R/w/W commands\n'],
		["sed 's/1/2/w' </dev/null 2>&1", 'sed: -e expression #1, char 7: missing filename in r/R/w/W commands\n'],
		[
			"sed 's/abc/\\1/g' </dev/null 2>&1",
			"sed: -e expression #1, char 10: invalid reference \\1 on `s' command's RHS\n"
		],
		["sed '/\\1/,$p' </dev/null 2>&1", 'sed: -e expression #1, char 4: Invalid back reference\n'],
		["sed '//M,$p' </dev/null 2>&1", 'sed: -e expression #1, char 3: cannot specify modifiers on empty regexp\n'],
		["sed '0,4rin1' </dev/null 2>&1", 'sed: -e expression #1, char 4: invalid usage of line address 0\n'],
		["sed --posix -n '2,+1p' </dev/null 2>&1", "sed: -e expression #1, char 3: unexpected `,'\n"],
		["sed 's/./\\c\\d/' </dev/null 2>&1", 'sed: -e expression #1, char 9: recursive escaping after \\c not allowed\n'],
		["sed 'bx' </dev/null 2>&1", "sed: can't find label for jump to `x'\n"],
		["sed -e p -e 's/a/b' </dev/null 2>&1", "sed: -e expression #2, char 5: unterminated `s' command\n"],
		['sed k </dev/null 2>&1', "sed: -e expression #1, char 1: unknown command: `k'\n"]
	],
	"additions of GNU's sed, and --posix": [
		["sed '1afoo' </dev/null; echo $?", '0\n'],
		["sed -e 'a\\' -e foo </dev/null; echo $?", '0\n'],
		["sed --posix 's/abc/\\1/g' </dev/null; echo $?", '0\n'],
		["printf 'H\\nW\\n' >in1; seq 3 | sed 0rin1", 'H\nW\n1\n2\n3\n'],
		['seq 3 | sed N; seq 3 | sed --posix N', '1\n2\n3\n1\n2\n'],
		[
			'echo 0123456789012345678901234567890 | sed -n l; echo 0123456789012345678901234567890 | COLS=12 sed -n l; echo 0123456789012345678901234567890 | sed -n l11; echo 0123456789012345678901234567890 | sed -l 11 -n l',
			'0123456789012345678901234567890$\n0123456789\\\n0123456789\\\n0123456789\\\n0$\n0123456789\\\n0123456789\\\n0123456789\\\n0$\n0123456789\\\n0123456789\\\n0123456789\\\n0$\n'
		],
		[
			"printf 'x\\ny\\n' >a; printf '1\\n2\\n' >b; sed -e 1Rb -e 2Rb a; sed -e 1Rq2 a; sed -e 1Rb -e '$Rb' a",
			'x\n1\ny\n2\nx\ny\nx\n1\ny\n2\n'
		],
		["echo A | sed 's/./printf hello/e'; echo 'echo hi' | sed e; echo x | sed 'e echo first'", 'hello\nhi\nfirst\nx\n'],
		["echo x | sed --sandbox 'e echo'", ''],
		["echo x | sed --sandbox 's/x/y/w out'", ''],
		[
			"echo a | sed 's/a/\\cA/' | od -c | head -1; echo a | sed 's/a/\\d065\\o102\\x43/'; echo a | sed 'y/a/\\x41/'",
			'0000000 001  \\n\nABC\nA\n'
		],
		[
			"echo '[' | sed 's/[[]/X/'; printf '\\tt\\t\\n' | sed --posix 's/\\t[\\t]\\t/X/'; printf '=\\n' | sed 's/[.=:.]/X/'",
			'X\nX\nX\n'
		],
		["echo A | sed 's/./\\l&/'; echo A | sed --posix 's/./\\l&/'", 'a\nlA\n'],
		['seq 2 >f; (sed -u 1q; cat) <f', '1\n2\n'],
		["echo abc >./-; sed -i 's/b/X/' -; cat ./-", 'aXc\n'],
		["seq 5 | sed -n '2{p;n;p};$!{4{p}}'", '2\n3\n4\n'],
		["seq 3 | sed 'a\\  two' ; seq 1 | sed 'i\\x\\ty'", '1\n  two\n2\n  two\n3\n  two\nx\ty\n1\n']
	],
	'expressions of find': besideAFolder([
		['find . -maxdepth 0 -type', "find: missing argument to `-type'\n"],
		['find . -maxdepth 0 -type x', 'find: Unknown argument to -type: x\n'],
		['find . -maxdepth 0 -type fd', "find: Must separate multiple arguments to -type using: ','\n"],
		[
			'find . -maxdepth 0 -type f,',
			"find: Last file type in list argument to -type is missing, i.e., list is ending on: ','\n"
		],
		['find . -maxdepth 0 -type f,f', "find: Duplicate file type 'f' in the argument list to -type.\n"],
		[
			'find d -type f,d | sort; echo --; find d -type l | sort; echo --; find d -xtype f | sort; echo --; find d -xtype d | sort; echo --; find d -xtype l | sort; echo --; find -L d -type f | sort; echo --; find -L d -type l | sort; echo --; find -L d -xtype l | sort',
			'd\nd/reg\nd/sub\n--\nd/dl\nd/gone\nd/rl\n--\nd/reg\nd/rl\n--\nd\nd/dl\nd/sub\n--\nd/gone\n--\nd/reg\nd/rl\n--\nd/gone\n--\nd/dl\nd/gone\nd/rl\n'
		],
		[
			"find . -maxdepth 0 -printf 'a\\tb\\101\\0044\\a\\b\\f\\v\\\\\\n' | od -c",
			'0000000   a  \\t   b   A 004   4  \\a  \\b  \\f  \\v   \\  \\n\n0000014\n'
		],
		["find . -maxdepth 0 -printf 'hello\\cthere'", 'hello'],
		["find . -maxdepth 0 -printf 'U\\z\\n'", "find: warning: unrecognized escape `\\z'\nU\\z\n"],
		["find d -maxdepth 0 -printf x , -printf 'y\\n'", 'xy\n'],
		[
			"find d -name reg -fprint out; cat out; find d -name reg -fprint0 out; od -c out | head -1; find d -name reg -fprintf out '%f\\n'; cat out",
			'd/reg\n0000000   d   /   r   e   g  \\0\nreg\n'
		],
		['find / // -maxdepth 0 -name /', '/\n//\n'],
		['find d -maxdepth', "find: missing argument to `-maxdepth'\n"],
		['find d -nosuch', "find: unknown predicate `-nosuch'\n"],
		['find d -name reg -exec', "find: missing argument to `-exec'\n"],
		[
			'find d \\( -name reg',
			"find: invalid expression; I was expecting to find a ')' somewhere but did not see one.\n"
		],
		['find d -name reg \\)', "find: you have too many ')'\n"],
		['find d -size 1x', "find: invalid -size type `x'\n"],
		['find d -name reg -a', "find: expected an expression after '-a'\n"],
		['find d ! ', "find: expected an expression after '!'\n"],
		['find d -name reg -o', "find: expected an expression after '-o'\n"],
		["find d -maxdepth 1 -name 'r*' -exec echo {} + | tr ' ' '\\n' | sort", 'd/reg\nd/rl\n'],
		['find d -name reg -execdir echo {} \\;', './reg\n'],
		['find d -name reg -ok echo {} \\; </dev/null', '< echo ... d/reg > ? '],
		['echo y | find d -name reg -ok echo {} \\;', '< echo ... d/reg > ? d/reg\n'],
		[
			"find d -name reg -printf '%p %P %f %h %H %d %y %Y %m %s %l|\\n'; find d -name dl -printf '%y %Y %l\\n'; find d -name gone -printf '%y %Y\\n'",
			'd/reg reg reg d d 1 f f 644 2 |\nl d sub\nl N\n'
		],
		["find d -name reg -printf '%5s|%-5s|%05d|\\n'", '    2|2    |00001|\n'],
		['find d -empty | sort', 'd/sub\n'],
		["find d -depth -name 's*' -prune", 'd/sub\n'],
		['find d -name sub -delete; ls d/sub 2>/dev/null; find d -type d -name sub', ''],
		['find -H d -maxdepth 0; find -P d -maxdepth 0; find -O3 d -maxdepth 0', 'd\nd\nd\n'],
		['find d -inum x', "find: invalid argument `x' to `-inum'\n"],
		['find d -links +0 -links -5 -name reg; find d -true -false -o -name reg', 'd/reg\nd/reg\n'],
		['find --version | head -1', 'find (GNU findutils) 4.9.0\n'],
		[
			'find -name reg d',
			"find: paths must precede expression: `d'\nfind: possible unquoted pattern after predicate `-name'?\n"
		],
		['find d -maxdepth 1 -mindepth 1 -quit; find d -name reg -print -quit', 'd/reg\n'],
		[
			"find d -samefile d/reg; find d -name '[' ; find d -path 'd/r*' | sort; find d -ipath 'D/REG'",
			'd/reg\nd/reg\nd/rl\nd/reg\n'
		]
	]),
	'numbers and formats': [
		[
			'seq -w 003; seq -w 005 7; seq -w 8 -3 04; seq -w 3 .3 0004; seq -w -1 1; seq -w 1 +10 | tail -1',
			'001\n002\n003\n005\n006\n007\n08\n05\n0003.0\n0003.3\n0003.6\n0003.9\n-1\n00\n01\n10\n'
		],
		[
			"printf '%ld %zd %hhd %Lf|%.*f|%*.*f|%.*s|\\n' 1 2 3 1.5 -3 5.25 -9 -2 5.25 -1 text; env printf '%lu\\n' 7",
			'1 2 3 1.500000|5.250000|5.250000 |text|\n7\n'
		],
		[
			"echo '10^67; 10^68; 10^69; 1/3' | bc; printf 'a\\na\\nb\\n' | uniq - -",
			'10000000000000000000000000000000000000000000000000000000000000000000\n10000000000000000000000000000000000000000000000000000000000000000000\\\n0\n10000000000000000000000000000000000000000000000000000000000000000000\\\n00\n0\na\nb\n'
		]
	],
	'words of xargs': [
		[
			"echo a _ b | xargs -E _; echo a _ b | xargs -e; echo a _ b | xargs -e_; printf ' \\v 7\\n\\n x y \\n' | xargs -I% echo '[%]'; printf 'a\\nb\\n_\\nc' | xargs -E_ -n1",
			'a\na _ b\na\n[7]\n[x y ]\na\nb\n'
		],
		[
			"printf 'a b \\nc\\nd\\n' | xargs -L1 echo x; printf 'a b c\\nd e f\\n' | xargs -n2 -l2 2>&1; printf 'a b\\nc\\n' | xargs -I_ -n1 echo 'a._.b'; printf 'x y\\0z\\0' | xargs -0t -I{} echo 'hel lo' {} 2>&1; printf 'a:b' | xargs -d '\\x3a' -n1; seq 10 | xargs -s 12 -n 3; printf \"a 'b c\" | xargs -n1 2>/dev/null; echo $?",
			"x a b c\nx d\nxargs: warning: options --max-args and --max-lines/-l are mutually exclusive, ignoring previous --max-args value\na b c d e f\na.a b.b\na.c.b\necho 'hel lo' 'x y'\nhel lo x y\necho 'hel lo' z\nhel lo z\na\nb\n1 2 3\n4 5 6\n7 8 9\n10\na\n1\n"
		],
		["printf '40\\n0' | xargs -0t echo 2>&1", "echo '40'$'\\n''0'\n40\n0\n"]
	],
	'lists of excluded names for tar': [
		[
			'mkdir t; cd t; mkdir d; touch a b d/x d/y; tar cf t.tar a b d; echo a >no; echo d/x >no2; tar tf t.tar -X no -X no2; tar cf u.tar -X no2 a d; tar tf u.tar; tar tf t.tar -X none 2>/dev/null; echo $?; cd ..; rm -r t',
			'b\nd/\nd/y\na\nd/\nd/y\n2\n'
		]
	]
});
