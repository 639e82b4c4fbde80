import { testFacts } from './bash-facts.ts';

testFacts({
	'text in another encoding': [
		[
			"printf 'caf\\xe9\\n' | iconv -f latin1 -t utf-8; printf 'caf\\xc3\\xa9' | iconv -t ISO8859-1 | od -An -tx1; printf '\\xc3\\xa9x' | iconv -t utf-16 | od -An -tx1; printf 'a\\xc3\\xa9' | iconv -t utf-32be | od -An -tx1",
			'café\n 63 61 66 e9\n ff fe e9 00 78 00\n 00 00 00 61 00 00 00 e9\n'
		],
		[
			"{ printf 'a\\xffb' | iconv -f utf-8 -t utf-8; echo; printf 'b\\xc3\\xa9' | iconv -t ascii; echo; printf 'a\\xc3\\xa9b' | iconv -t ascii//TRANSLIT; printf 'a\\xc3\\xa9b' | iconv -c -t ascii; printf 'a\\xff' | iconv -f ascii; } 2>.e; cat .e",
			'a\nb\naebaba' +
				'iconv: illegal input sequence at position 1\niconv: illegal input sequence at position 1\niconv: illegal input sequence at position 1\n'
		]
	],
	'variables that are not exported, which no program gets': [
		[
			'echo A >f; POSIXLY_CORRECT=1; sed N f; QUOTING_STYLE=c; ls f; export QUOTING_STYLE POSIXLY_CORRECT; ls f; sed N f; QUOTING_STYLE=literal ls f; g() { local QUOTING_STYLE; ls f; QUOTING_STYLE=shell; ls f; }; g; export -n QUOTING_STYLE; ls f',
			'A\nf\n"f"\nf\n"f"\nf\nf\n'
		],
		["set -o posix; env echo -e 'a\\tb'", 'a\tb\n']
	],
	'an order of pairs': [
		['export LC_ALL=C; { echo a b b c d a | tsort; } 2>.e; cat .e', 'd\na\nb\nc\n'],
		[
			'export LC_ALL=C; { echo a b b a x y c c | tsort; echo $?; } 2>.e; cat .e',
			'c\nx\ny\na\nb\n1\ntsort: -: input contains a loop:\ntsort: a\ntsort: b\n'
		],
		[
			'export LC_ALL=C; { echo a b c | tsort; tsort x y; tsort no; } 2>.e; cat .e',
			"tsort: -: input contains an odd number of tokens\ntsort: extra operand 'y'\nTry 'tsort --help' for more information.\ntsort: no: No such file or directory\n"
		]
	],
	'names that are portable': [
		[
			"export LC_ALL=C; { pathchk; pathchk ''; pathchk -p 'a?b' ''; pathchk -P -- -a a/-b; pathchk -p abcdefghijklmnopq/b; echo $?; } 2>.e; cat .e",
			"1\npathchk: missing operand\nTry 'pathchk --help' for more information.\npathchk: '': No such file or directory\npathchk: nonportable character '?' in file name 'a?b'\npathchk: empty file name\npathchk: leading '-' in a component of file name '-a'\npathchk: leading '-' in a component of file name 'a/-b'\npathchk: limit 14 exceeded by length 17 of file name component 'abcdefghijklmnopq'\n"
		],
		[
			"export LC_ALL=C; { touch f; pathchk f/x; pathchk ok; pathchk -p $(printf '%0300d' 0); } 2>.e; cat .e",
			"pathchk: f/x: Not a directory\npathchk: limit 255 exceeded by length 300 of file name '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'\n"
		]
	],
	'lines that two files have in common': [
		[
			"export LC_ALL=C; { printf 'a\\nb\\nd\\n' >x; printf 'b\\nc\\n' >y; comm x y; comm -12 x y; comm -3 --output-delimiter=, x y; comm --total -123 x y; } 2>.e; cat .e",
			'a\n\t\tb\n\tc\nd\nb\na\n,c\nd\n2\t1\t1\ttotal\n'
		],
		[
			"export LC_ALL=C; { printf 'b\\na\\n' >x; printf 'b\\n' >y; comm x y; echo $?; comm --check-order x y; comm --nocheck-order x y; comm x; comm x y z; comm x no; } 2>.e; cat .e",
			"\t\tb\na\n1\n\t\tb\n\t\tb\na\ncomm: file 1 is not in sorted order\ncomm: input is not in sorted order\ncomm: file 1 is not in sorted order\ncomm: missing operand after 'x'\nTry 'comm --help' for more information.\ncomm: extra operand 'z'\nTry 'comm --help' for more information.\ncomm: no: No such file or directory\n"
		]
	],
	'folded lines': [
		[
			"export LC_ALL=C; { printf 'hello wide world\\n' | fold -w 7; printf 'hello wide world\\n' | fold -sw 7; printf 'a\\tb\\bc\\n' | fold -5 | od -c; fold -w 0; fold -w x -w 3; } 2>.e; cat .e",
			"hello w\nide wor\nld\nhello \nwide \nworld\n0000000   a  \\n  \\t  \\n   b  \\b   c  \\n\n0000010\nfold: invalid number of columns: '0': Numerical result out of range\nfold: invalid number of columns: 'x'\n"
		]
	],
	'records from the last': [
		[
			"export LC_ALL=C; { seq 3 | tac; printf 'a,b,c' | tac -s ,; echo; printf 'a,b,c' | tac -bs ,; echo; printf 'a1b22c' | tac -rs '[0-9][0-9]*'; echo; tac no; tac -rs ''; } 2>.e; cat .e",
			"3\n2\n1\ncb,a,\n,c,ba\nc2b2a1\ntac: failed to open 'no' for reading: No such file or directory\ntac: separator cannot be empty\n"
		]
	],
	'pasted lines': [
		[
			"export LC_ALL=C; { seq 3 >a; seq 4 5 >b; paste a b; paste -d , a b; paste -s a b; paste -sd '\\n,' a; seq 6 | paste - - -; paste -d '\\' a; paste no a; paste -z a b | od -c; } 2>.e; cat .e",
			'1\t4\n2\t5\n3\t\n1,4\n2,5\n3,\n1\t2\t3\n4\t5\n1\n2,3\n1\t2\t3\n4\t5\t6\n0000000   1  \\n   2  \\n   3  \\n  \\t   4  \\n   5  \\n  \\0\n0000014\npaste: delimiter list ends with an unescaped backslash: \\\npaste: no: No such file or directory\n'
		]
	],
	'bytes in other alphabets': [
		[
			"export LC_ALL=C; { printf 'light w' | basenc --base32hex; printf 'light w' | base64; printf '\\0\\377' | basenc --base16; printf a | basenc --base2lsbf; printf 'abcd' | basenc --z85; printf 'abc' | basenc --z85; } 2>.e; cat .e",
			'DHKMEQ3K41RG====\nbGlnaHQgdw==\n00FF\n10000110\nvpA.S\nbasenc: invalid input (length must be multiple of 4 characters)\n'
		],
		[
			"export LC_ALL=C; { echo YWJj | base64 -d; echo; echo YW= | base64 -d; echo '!YWJj' | base64 -di; echo; base64 -w x; base64 a b; basenc; echo 0g | basenc --base16 -d; } 2>.e; cat .e",
			"abc\naabc\nbase64: invalid input\nbase64: invalid wrap size: 'x'\nbase64: extra operand 'b'\nTry 'base64 --help' for more information.\nbasenc: missing encoding type\nTry 'basenc --help' for more information.\nbasenc: invalid input\n"
		]
	],
	'pieces of a file': [
		[
			'export LC_ALL=C; { seq 20 | csplit - 5 /5/ {1} %18%; head -3 xx0*; rm xx*; } 2>.e; cat .e',
			'8\n0\n25\n9\n==> xx00 <==\n1\n2\n3\n\n==> xx01 <==\n\n==> xx02 <==\n5\n6\n7\n\n==> xx03 <==\n18\n19\n20\n'
		],
		[
			'export LC_ALL=C; { seq 9 >n; csplit -z n 1 4; csplit -f p -b %03x -s n 3; ls; csplit --suppress-matched n /[36]/ {*}; cat xx*; rm xx* p*; } 2>.e; cat .e',
			'6\n12\nn\np000\np001\nxx00\nxx01\n4\n4\n6\n1\n2\n4\n5\n7\n8\n9\n'
		],
		[
			"export LC_ALL=C; { seq 9 >n; csplit n 20; ls; csplit -k n /5/ /x/; ls; rm xx*; csplit n; csplit n 5 3; csplit n 2 '{'; csplit n /x; csplit n x5; csplit -b %s n 2; csplit -b %d%d n 2; csplit no 1; csplit n 0; } 2>.e; cat .e",
			"18\nn\n8\n10\nn\nxx00\nxx01\ncsplit: '20': line number out of range\ncsplit: '/x/': match not found\ncsplit: missing operand after 'n'\nTry 'csplit --help' for more information.\ncsplit: line number '3' is smaller than preceding line number, 5\ncsplit: '{': '}' is required in repeat count\ncsplit: /x: closing delimiter '/' missing\ncsplit: 'x5': invalid pattern\ncsplit: invalid conversion specifier in suffix: s\ncsplit: too many % conversion specifications in suffix\ncsplit: cannot open 'no' for reading: No such file or directory\ncsplit: 0: line number must be greater than zero\n"
		],
		[
			'export LC_ALL=C; { seq 9 >n; csplit n 2 {9}; echo $?; csplit n /3/-1 /7/+1; cat xx00 xx02; } 2>.e; cat .e',
			"2\n4\n4\n4\n4\n1\n2\n12\n4\n1\n8\n9\ncsplit: '2': line number out of range on repetition 4\n"
		]
	],
	'programs that run others': [
		[
			'export LC_ALL=C; { stdbuf -oL echo a; stdbuf echo a; stdbuf -iL echo a; stdbuf -o 5Q true; stdbuf -oL no; echo $?; stdbuf -oL .; echo $?; } 2>.e; cat .e',
			"a\n127\n126\nstdbuf: you must specify a buffering mode option\nTry 'stdbuf --help' for more information.\nstdbuf: line buffering stdin is meaningless\nTry 'stdbuf --help' for more information.\nstdbuf: invalid mode '5Q'\nstdbuf: failed to run command 'no': No such file or directory\nstdbuf: failed to run command '.': Permission denied\n"
		],
		[
			'export LC_ALL=C; { nice; nice -n 3 nice; nice nice nice; nice -5 nice; nice -n x true; nice -5; nice no; echo $?; } 2>.e; cat .e',
			"0\n3\n19\n5\n127\nnice: invalid adjustment 'x'\nnice: a command must be given with an adjustment\nTry 'nice --help' for more information.\nnice: 'no': No such file or directory\n"
		],
		[
			'export LC_ALL=C; { timeout 5 echo in time; timeout .05 sleep 3; echo $?; timeout --preserve-status .05 sleep 3; echo $?; timeout -v -s INT .05 sleep 3; timeout x true; timeout -s FOO 1 true; timeout 1 no; echo $?; timeout 0x1 echo hex; timeout 1dd true; } 2>.e; cat .e',
			"in time\n124\n143\n127\nhex\ntimeout: sending signal INT to command 'sleep'\ntimeout: invalid time interval 'x'\nTry 'timeout --help' for more information.\ntimeout: 'FOO': invalid signal\nTry 'timeout --help' for more information.\ntimeout: failed to run command 'no': No such file or directory\ntimeout: invalid time interval '1dd'\nTry 'timeout --help' for more information.\n"
		],
		[
			'export LC_ALL=C; { sleep 0.001 x y; sleep 0x.1p-8 1e-3s; echo $?; sleep; } 2>.e; cat .e',
			"0\nsleep: invalid time interval 'x'\nsleep: invalid time interval 'y'\nTry 'sleep --help' for more information.\nsleep: missing operand\nTry 'sleep --help' for more information.\n"
		]
	],
	'facts about the user and the computer': [
		[
			'export LC_ALL=C; { arch; arch x; hostid x; who a b c; users a b; pinky; pinky -q; } 2>.e; cat .e',
			"x86_64\nLogin    Name                 TTY      Idle   When         Where\nLogin     TTY      When        \narch: extra operand 'x'\nTry 'arch --help' for more information.\nhostid: extra operand 'x'\nTry 'hostid --help' for more information.\nwho: extra operand 'c'\nTry 'who --help' for more information.\nusers: extra operand 'b'\nTry 'users --help' for more information.\n"
		],
		[
			'export LC_ALL=C; { runcon x true; chcon x; chcon; sync no; sync -d; mknod; mknod x b 1; mknod x p 1 2; mkfifo; mkfifo -m x y; } 2>.e; cat .e',
			"runcon: runcon may be used only on a SELinux kernel\nchcon: missing operand after 'x'\nTry 'chcon --help' for more information.\nchcon: missing operand\nTry 'chcon --help' for more information.\nsync: error opening 'no': No such file or directory\nsync: --data needs at least one argument\nmknod: missing operand\nTry 'mknod --help' for more information.\nmknod: missing operand after '1'\nTry 'mknod --help' for more information.\nmknod: extra operand '1'\nFifos do not have major and minor device numbers.\nTry 'mknod --help' for more information.\nmkfifo: missing operand\nTry 'mkfifo --help' for more information.\nmkfifo: invalid mode\n"
		],
		[
			'export LC_ALL=C; { id -z; id -n; id nosuch; echo $?; groups nosuch; } 2>.e; cat .e',
			"1\nid: option --zero not permitted in default format\nid: cannot print only names or real IDs in default format\nid: 'nosuch': no such user\ngroups: 'nosuch': no such user\n"
		]
	],
	'sequences of exact numbers': [
		[
			'export LC_ALL=C; { seq 99999999999999999999 100000000000000000001; seq -1 -.5 -2; seq 0 .1 .3; seq 1e2 101; seq 0x10 17; seq 1 inf | head -n1; seq inf inf | head -n1; seq -w 9 .5 10; seq -w -1e-3 1; seq -w 1.1e4 | head -n1; } 2>&1',
			'99999999999999999999\n100000000000000000000\n100000000000000000001\n-1.0\n-1.5\n-2.0\n0.0\n0.1\n0.2\n0.3\n100\n101\n16\n17\n1\ninf\n09.0\n09.5\n10.0\n-0.001\n00.999\n00001\n'
		],
		[
			'export LC_ALL=C; { seq; seq 1 2 3 4; seq nan; seq 1x; seq 1 0 2; seq -f %d 2; seq -f x 2; seq -f %g%g 2; seq -f %g -w 2; } 2>&1 | grep -v Try',
			"seq: missing operand\nseq: extra operand '4'\nseq: invalid 'not-a-number' argument: 'nan'\nseq: invalid floating point argument: '1x'\nseq: invalid Zero increment value: '0'\nseq: format '%d' has unknown %d directive\nseq: format 'x' has no % directive\nseq: format '%g%g' has too many % directives\nseq: format string may not be specified when printing equal width strings\n"
		]
	],
	'output that cannot be written': [
		[
			"export LC_ALL=C; { for c in yes 'seq 1' 'cat f' 'printf x' 'grep x f' 'ls' true; do echo x >f; $c >/dev/full; echo $?; done; (trap '' PIPE; yes | :; seq 99999 2>.s | head -n1; cat .s; rm .s); test -c /dev/full -a -w /dev/full && head -c2 /dev/full | od -An -c; } 2>&1 | sed 's/line [0-9]*: //'",
			'yes: standard output: No space left on device\n1\nseq: write error: No space left on device\n1\ncat: write error: No space left on device\n1\nbash: printf: write error: No space left on device\n1\ngrep: write error: No space left on device\n2\nls: write error: No space left on device\n2\n0\nyes: standard output: Broken pipe\n1\nseq: write error: Broken pipe\n  \\0  \\0\n'
		]
	],
	'a changed environment': [
		[
			"export LC_ALL=C; exec 2>&1; env -i A=1 B=2 env -0 | tr '\\0' ,; env -i A=1 --null | tr '\\0' ,; env -0 echo hi; echo $?; env -i -0 \"$(printf 'a=b\\nc=')\" | od -c; env --unset=HOME printenv HOME; echo $?; env -C / pwd; env --chdir=/no pwd; echo $?; env -C /; env nosuch; echo $?; env -S 'A=5 printenv A'; env -iS 'A=6 printenv' A; env - A=7 printenv A; env -x; echo $?; env /; echo $?",
			"A=1,B=2,env: '--null': No such file or directory\nenv: cannot specify --null (-0) with command\nTry 'env --help' for more information.\n125\n0000000   a   =   b  \\n   c   =  \\0\n0000007\n1\n/\nenv: cannot change directory to '/no': No such file or directory\n125\nenv: must specify command with --chdir (-C)\nTry 'env --help' for more information.\nenv: 'nosuch': No such file or directory\n127\n5\n6\n7\nenv: invalid option -- 'x'\nTry 'env --help' for more information.\n125\nenv: '/': Permission denied\n126\n"
		]
	],
	'programs that the shell has too': [
		[
			"export LC_ALL=C; exec 2>&1; env echo -n -e '\\x1b\\33\\033\\0033\\n' | od -c; env echo -e 'a\\cb'; echo; env POSIXLY_CORRECT=1 echo -n -E 'foo\\n'; env POSIXLY_CORRECT=1 echo -nE 'foo'; env echo -- x; env printf '%q\\n' '' \"'\" a 'a b' '~a' 'a~' $'a\\r'; env printf; env printf '%#d\\n' 1; env printf '%0s' 1; env printf '%.9c' 1; env printf \"%'s\" 1; env printf '%.*dx\\n' 2147483648 0; env printf '%.*dx\\n' -2147483649 0; env printf '%*c|\\n' 2 x; env printf '%z'; env printf -- 'f\\n'; env printf '5 % +d\\n' 234; env printf '%s %s\\n' a b c",
			"0000000 033 033 033 033  \\n\n0000005\na\nfoo\n-nE foo\n-- x\n''\n\"'\"\na\n'a b'\n'~a'\na~\n'a'$'\\r'\nprintf: missing operand\nTry 'printf --help' for more information.\nprintf: %#d: invalid conversion specification\nprintf: %0s: invalid conversion specification\nprintf: %.9c: invalid conversion specification\nprintf: %'s: invalid conversion specification\nprintf: invalid precision: '2147483648'\n0x\n x|\nprintf: %z: invalid conversion specification\nf\n5 +234\na b\nc \n"
		]
	],
	'places, backups and files read while written': [
		[
			'export LC_ALL=C; exec 2>&1; mkdir w w/a w/a/b; cd w; ln -s a/b c; cd c; d=${PWD%/c}; for o in -L \'--logical -P\' \'\' ; do env pwd $o | sed "s,$d,,"; done; env POSIXLY_CORRECT=1 pwd | sed "s,$d,,"; env PWD="$PWD/." pwd -L | sed "s,$d,,"; env PWD=bogus pwd -L | sed "s,$d,,"; cd ../..; cd w 2>/dev/null; echo x >out; cat out >>out; echo $?; cat <out >>out; grep x out >>out; echo $?; grep -q x out >>out; echo $?; echo y >doc.end; echo x>doc; cat doc doc.end >doc; cat doc; seq 5 >f; (head -n -2 >/dev/null; cat) <f; (head -n 2; cat) <f; touch o s; VERSION_CONTROL=numbered cp -b s o; SIMPLE_BACKUP_SUFFIX=.x mv -b s o; ls; ln -s no-such dg; chown --dereference $(id -u) dg; cd ..; rm -rf w',
			"/c\n/a/b\n/a/b\n/c\n/a/b\n/a/b\ncat: out: input file is output file\n1\ncat: -: input file is output file\ngrep: out: input file is also the output\n2\n0\ny\n4\n5\n1\n2\n3\n4\n5\na\nc\ndoc\ndoc.end\nf\no\no.~1~\no.~2~\nout\nchown: cannot dereference 'dg': No such file or directory\n"
		]
	],
	'filled paragraphs': [
		[
			"export LC_ALL=C; exec 2>&1; cat >base <<'X'\nSome tools like to break lines where a sentence ends, and\navoid to leave one word of it alone. A \"break\" is (mostly) a\nplace where nothing is lost.  More (of) this, and that! Is it so?  It is,\nwith words of every length, antidisestablishmentarianism among them;\nand so on and on and on.\n\n    An indented paragraph with some words in it that\n    goes on for some lines, and then stops\n  here is another indentation\n\ta line with a tab\nnext one.   Several   blanks inside   of a line   here.\nX\nfmt base; echo; fmt -w 40 base; fmt -g 30 -w 50 base; fmt -20 base; fmt -s -w 30 base; fmt -u -w 60 base; fmt -c -w 30 base; fmt -t -w 30 base; printf '> quoted text of a letter\\n> goes on here and there\\nplain\\n>  other\\n' | fmt -p '> ' -w 20; seq 600 | fmt | tail -3; fmt -w 99999 base; fmt -w x; fmt no; printf '=\\xc2\\xa0=' | fmt -s -w1; yes 'y y y y y y y y y' | head -n 300 | fmt -w 30 | cksum; yes 'word and more.' | head -n 900 | fmt | cksum; rm base",
			'Some tools like to break lines where a sentence ends, and avoid to leave\none word of it alone. A "break" is (mostly) a place where nothing is lost.\nMore (of) this, and that! Is it so?  It is, with words of every length,\nantidisestablishmentarianism among them; and so on and on and on.\n\n    An indented paragraph with some words in it that goes on for some\n    lines, and then stops\n  here is another indentation\n\ta line with a tab\nnext one.   Several   blanks inside   of a line   here.\n\nSome tools like to break lines where\na sentence ends, and avoid to leave\none word of it alone. A "break" is\n(mostly) a place where nothing is lost.\nMore (of) this, and that! Is it so?\nIt is, with words of every length,\nantidisestablishmentarianism among\nthem; and so on and on and on.\n\n    An indented paragraph with some\n    words in it that goes on for some\n    lines, and then stops\n  here is another indentation\n\ta line with a tab\nnext one.   Several   blanks inside\nof a line   here.\nSome tools like to break lines\nwhere a sentence ends, and avoid\nto leave one word of it alone. A\n"break" is (mostly) a place where\nnothing is lost.  More (of) this,\nand that! Is it so?  It is,\nwith words of every length,\nantidisestablishmentarianism\namong them; and so on and on and on.\n\n    An indented paragraph with\n    some words in it that goes\n    on for some lines, and then stops\n  here is another indentation\n\ta line with a tab\nnext one.   Several   blanks\ninside\t of a line   here.\nSome tools like to\nbreak lines where a\nsentence ends, and\navoid to leave one\nword of it alone. A\n"break" is (mostly)\na place where\nnothing is lost.\nMore (of) this,\nand that! Is it so?\nIt is, with words\nof every length,\nantidisestablishmentarianism\namong them; and so\non and on and on.\n\n    An indented\n    paragraph with\n    some words in\n    it that goes on\n    for some lines,\n    and then stops\n  here is another\n  indentation\n\ta line with\n\ta tab\nnext one.   Several\nblanks inside\tof\na line\t here.\nSome tools like to break\nlines where a sentence ends,\nand\navoid to leave one word\nof it alone. A "break" is\n(mostly) a\nplace where nothing is lost.\nMore (of) this, and that! Is\nit so?  It is,\nwith words of every length,\nantidisestablishmentarianism\namong them;\nand so on and on and on.\n\n    An indented paragraph\n    with some words in\n    it that\n    goes on for some lines,\n    and then stops\n  here is another indentation\n\ta line with a tab\nnext one.   Several   blanks\ninside\t of a line   here.\nSome tools like to break lines where a sentence ends,\nand avoid to leave one word of it alone. A "break" is\n(mostly) a place where nothing is lost.  More (of) this,\nand that! Is it so?  It is, with words of every length,\nantidisestablishmentarianism among them; and so on and on\nand on.\n\n    An indented paragraph with some words in it that goes\n    on for some lines, and then stops\n  here is another indentation\n\ta line with a tab\nnext one.  Several blanks inside of a line here.\nSome tools like to break\nlines where a sentence\nends, and avoid to leave\none word of it alone. A\n"break" is (mostly)\na place where nothing\nis lost.  More (of) this,\nand that! Is it so?  It is,\nwith words of every length,\nantidisestablishmentarianism\namong them; and so on and on\nand on.\n\n    An indented paragraph\n    with some words in it\n    that goes on for some\n    lines, and then stops\n  here is another indentation\n\ta line with a tab\nnext one.   Several   blanks\ninside\t of a line   here.\nSome tools like to break\n   lines where a sentence\n   ends, and\navoid to leave one word of\n   it alone. A "break" is\n   (mostly) a\nplace where nothing is lost.\n   More (of) this, and\n   that! Is it so?  It is,\nwith words of every length,\n   antidisestablishmentarianism\n   among them;\nand so on and on and on.\n\n    An indented paragraph\n   with some words in it that\n    goes on for some lines,\n  and then stops here is\n  another indentation\n\ta line with a tab\nnext one.   Several   blanks\ninside\t of a line   here.\n> quoted text of\n> a letter goes on\n> here and there\nplain\n>  other\n550 551 552 553 554 555 556 557 558 559 560 561 562 563 564 565 566 567\n568 569 570 571 572 573 574 575 576 577 578 579 580 581 582 583 584 585\n586 587 588 589 590 591 592 593 594 595 596 597 598 599 600\nfmt: invalid width: \'99999\': Numerical result out of range\nfmt: invalid width: \'x\'\nfmt: cannot open \'no\' for reading: No such file or directory\n= =\n699998181 5400\n619208564 14300\n'
		]
	],
	"zones by POSIX' rules": [
		[
			"export LC_ALL=C; for tz in PST8 PST8PDT,M3.2.0,M11.1.0 XXXYYY-12:30 CET-1CEST,M3.5.0,M10.5.0/3 '<+03>-3' AEST-10AEDT,M10.1.0,M4.1.0/3 ABC5DEF,J60/0,300/1:30 EST5EDT4; do for t in 16276211 1700000000 1711846799 1711846800 1730000000 1730595600; do TZ=$tz date -d @$t '+%F %T %z %Z'; done; done",
			'1970-07-08 01:10:11 -0800 PST\n2023-11-14 14:13:20 -0800 PST\n2024-03-30 16:59:59 -0800 PST\n2024-03-30 17:00:00 -0800 PST\n2024-10-26 19:33:20 -0800 PST\n2024-11-02 17:00:00 -0800 PST\n1970-07-08 02:10:11 -0700 PDT\n2023-11-14 14:13:20 -0800 PST\n2024-03-30 17:59:59 -0700 PDT\n2024-03-30 18:00:00 -0700 PDT\n2024-10-26 20:33:20 -0700 PDT\n2024-11-02 18:00:00 -0700 PDT\n1970-07-08 21:40:11 +1230 XXXYYY\n2023-11-15 10:43:20 +1230 XXXYYY\n2024-03-31 13:29:59 +1230 XXXYYY\n2024-03-31 13:30:00 +1230 XXXYYY\n2024-10-27 16:03:20 +1230 XXXYYY\n2024-11-03 13:30:00 +1230 XXXYYY\n1970-07-08 11:10:11 +0200 CEST\n2023-11-14 23:13:20 +0100 CET\n2024-03-31 01:59:59 +0100 CET\n2024-03-31 03:00:00 +0200 CEST\n2024-10-27 04:33:20 +0100 CET\n2024-11-03 02:00:00 +0100 CET\n1970-07-08 12:10:11 +0300 +03\n2023-11-15 01:13:20 +0300 +03\n2024-03-31 03:59:59 +0300 +03\n2024-03-31 04:00:00 +0300 +03\n2024-10-27 06:33:20 +0300 +03\n2024-11-03 04:00:00 +0300 +03\n1970-07-08 19:10:11 +1000 AEST\n2023-11-15 09:13:20 +1100 AEDT\n2024-03-31 11:59:59 +1100 AEDT\n2024-03-31 12:00:00 +1100 AEDT\n2024-10-27 14:33:20 +1100 AEDT\n2024-11-03 12:00:00 +1100 AEDT\n1970-07-08 05:10:11 -0400 DEF\n2023-11-14 17:13:20 -0500 ABC\n2024-03-30 20:59:59 -0400 DEF\n2024-03-30 21:00:00 -0400 DEF\n2024-10-26 23:33:20 -0400 DEF\n2024-11-02 20:00:00 -0500 ABC\n1970-07-08 05:10:11 -0400 EDT\n2023-11-14 17:13:20 -0500 EST\n2024-03-30 20:59:59 -0400 EDT\n2024-03-30 21:00:00 -0400 EDT\n2024-10-26 23:33:20 -0400 EDT\n2024-11-02 21:00:00 -0400 EDT\n'
		]
	],
	'names by their kind, and truth': [
		[
			'export LC_ALL=C; exec 2>&1; mkdir c c/d; touch c/f; ln -s / c/s; chmod 600 c; ls -p c; ls --file-type c; ls c; chmod 700 c; rm -r c; env true --version >/dev/full; echo $?; env false --help >/dev/null; echo $?; env true x; env false; echo $?; env true --version | head -n1',
			'd/\nf\ns\nd/\nf\ns@\nd\nf\ns\ntrue: write error: No space left on device\n1\n1\n1\ntrue (GNU coreutils) 9.1\n'
		]
	],
	'numbers that od shows: floating point, byte orders, old offsets': [
		[
			"mkdir od; cd od; export LC_ALL=C; { printf '\\0\\0\\200\\077abcdefghijkl' | od -t f4; printf '\\0\\0\\0\\0\\0\\0\\360\\077\\030\\055\\104\\124\\373\\041\\011\\100' | od -tfD -An; printf 'abcdefgh' | od --endian=big -t x4; printf 'HELLO' | od -b --traditional; printf 'HELLO WORLD' >f; od --traditional f 3; od -c f +4; od -f f; od -t f3 f; od --endian=x f; printf '\\0\\0\\300\\177\\0\\0\\200\\377\\0\\0\\0\\200\\315\\314\\314\\075' | od -tf4 -An; } 2>&1",
			"0000000               1   1.6777999e+22    4.371022e+24   1.1384003e+27\n0000020\n                        1        3.141592653589793\n0000000 61626364 65666768\n0000010\n0000000 110 105 114 114 117\n0000005\n0000003 047514 053440 051117 042114\n0000013\n0000004   O       W   O   R   L   D\n0000013\n0000000    5.354832e+07   3.6092188e+09    6.272192e-39\n0000013\nod: invalid type string 'f3';\nthis system doesn't provide a 3-byte floating point type\nod: invalid argument 'x' for '--endian'\nValid arguments are:\n  - 'little'\n  - 'big'\nTry 'od --help' for more information.\n             nan            -inf              -0             0.1\n"
		]
	]
});
