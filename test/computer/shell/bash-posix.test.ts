import { testFacts } from './bash-facts.ts';

testFacts({
	'what POSIX mode turns on and off': [
		[
			'set -o posix; shopt expand_aliases inherit_errexit shift_verbose; echo "<$POSIXLY_CORRECT>"; set +o posix; shopt expand_aliases inherit_errexit shift_verbose; echo "<$POSIXLY_CORRECT>"',
			'expand_aliases \ton\ninherit_errexit\ton\nshift_verbose  \ton\n<y>\nexpand_aliases \toff\ninherit_errexit\ton\nshift_verbose  \toff\n<>\n'
		],
		[
			'POSIXLY_CORRECT=1; set -o | grep posix; unset POSIXLY_CORRECT; set -o | grep posix; (POSIXLY_CORRECT=1; set -o | grep posix); set -o | grep posix',
			'posix          \ton\nposix          \toff\nposix          \ton\nposix          \toff\n'
		],
		['f() { local -; set -o posix; echo $POSIXLY_CORRECT; }; f; set -o | grep posix', 'y\nposix          \toff\n']
	],
	'errors that end a shell in POSIX mode': [
		["set -o posix; eval 'fi'; echo not reached", ''],
		["set -o posix; command eval 'fi'; echo $?", '2\n'],
		['set -o posix; . ./none; echo not reached', ''],
		['set -o posix; command . ./none; echo $?', '1\n'],
		['set -o posix; readonly a=1; export a=2; echo not reached', ''],
		['set -o posix; readonly a=1; readonly a=2; echo not reached', ''],
		['set -o posix; export x=1 >/none/x; echo not reached', ''],
		['set -o posix; (export x=1 >/none/x; echo not reached); echo $?', '1\n'],
		['set -o posix; readonly a=1; a=2 exec; echo not reached', ''],
		['set -o posix; a=2 exec 3>/dev/null; echo $a; set +o posix; b=2 exec 3>/dev/null; echo $b', '2\n\n'],
		[
			'set -o posix\nreadonly a=1\n(a=2 true; echo not reached); echo $?\na=2 true; echo not reached\necho next line',
			'1\nnext line\n'
		]
	],
	'statuses of shells that end by an expansion': [
		['(echo ${x?}); echo $?; (set -u; echo $x); echo $?; { echo ${x?$y}; } 2>&1', '1\n1\nbash: line 1: x: \n'],
		["echo 'echo ${x?gone}' >s; . ./s; echo not reached", ''],
		["trap 'echo $?' EXIT; echo ${x?gone}", '127\n']
	],
	'lines joined by a backslash': [
		['ec\\\nho a; i\\\nf tr\\\nue; t\\\nhen echo yes;\\\n f\\\ni; true &\\\n& echo and', 'a\nyes\nand\n'],
		[
			'x=foo; echo $\\\nx $\\\n{\\\nx\\\n} ${\\\n#\\\nx} ${x\\\n#\\\nf} $\\\n(\\\n(1 + \\\n2)\\\n) "$\\\nx"',
			'foo foo 3 oo 3 foo\n'
		],
		['cat <\\\n<\\\nE\nbody\nE\necho a >\\\n>\\\nf; cat f; ca\\\nse a in a) echo 1;\\\n; e\\\nsac', 'body\na\n1\n'],
		['fu\\\nnc() { echo $LINENO; }\nfunc\necho $LINENO #\\\necho $LINENO', '2\n4\n5\n'],
		['cat <<"E\\\nF"\na\\\nb\nEF\nlong\\\n_name=1; echo $long_na\\\nme', 'a\\\nb\n1\n']
	],
	'aliases in POSIX mode': [
		[
			"set -o posix\nalias say='echo said' e='' nl='\n' iff='if true; then'\nsay a; (say b)\niff say c; fi; echo x | nl cat\ne say d\nalias if=echo\nif true; then say e; fi",
			'said a\nsaid b\nsaid c\nx\nsaid d\nsaid e\n'
		],
		[
			"set -o posix\nalias say='echo ' out=say w=word l='say l ' 1=false in=no do=';'\nout w; say w w; say 'q' w; say >f w; cat f; l w l w\nsay\nw() { echo $#; }; word\n1>&2 echo one 2>&1\nalias each='for '\neach w in a; do say $word; done\nset b\nfor x do say $x; done",
			'w\nword w\nq word\nw\nl word l w\n\n0\na\nb\n'
		],
		[
			"shopt -s expand_aliases\nalias go='say; ' say='echo ' if=echo back='\\' part='f ' d='do ' p='() '\ngo if true\nsay back\n joined; part p\n{ say f; }; f\nfor x in 1; d say $x; done; case a in (b) ;; (a) say a;; esac\nset -o posix\ngo if true; then echo c; fi",
			'\ntrue\njoined\nf\n1\na\n\nc\n'
		]
	],
	verbose: [
		[
			"{ set -v\necho 1\neval 'echo 2\necho 3'\nf() {\n\techo x\n}\nf # end\n} 2>e; cat e",
			'1\n2\n3\nx\necho 2\necho 3\n'
		],
		["printf 'set -v\\necho a\\n\\n# c\\nset +v\\necho b\\n' >s; . ./s 2>&1", 'echo a\na\n\n# c\nset +v\nb\n']
	],
	'files that exec opens inside of a command with redirections': [
		['{ exec 4>&3; } 3>f; echo in >&4; cat f; f() { exec 5>g; exec 3>&-; }; f 3>h; echo five >&5; cat g', 'in\nfive\n'],
		[
			'{ exec 1>&2; echo lost; } >f 2>/dev/null; echo seen; exec 3>f; { exec 3>&-; } 4>&1; echo x >&3; echo $?',
			'seen\n1\n'
		]
	],
	'places of commands': [
		[
			"mkdir a b; printf 'echo a\\n' >a/c; printf 'echo b\\n' >b/c; chmod +x a/c b/c; PATH=.:$PATH; cd a; c; cd ../b; c; hash | grep -c /c",
			'a\nb\n1\n'
		],
		[
			"mkdir a b; printf 'echo a\\n' >a/c; printf 'echo b\\n' >b/c; chmod +x a/c b/c; PATH=$PWD/a:$PWD/b:$PATH; c; PATH=$PATH; hash; rm a/c; set -o posix; c; printf 'echo a\\n' >a/c; chmod +x a/c; rm b/c; c",
			'a\nhash: hash table empty\nb\na\n'
		],
		['PATH=; x=$(command -pv cat); echo ${x#/usr}; command -p echo x; command -v cat; echo $?', '/bin/cat\nx\n1\n']
	],
	'cd by links and by CDPATH': [
		[
			'mkdir -p t; cd t; mkdir -p a/b x/b; touch file; ln -s a/b l; cd l/..; echo ${PWD##*/}; cd - >/dev/null; cd ../t; cd -P l/.. ; echo ${PWD##*/}; cd ..; cd -P l; cd -P ./../b/.; echo ${PWD##*/b}; cd -L -P ../../l; echo ${PWD##*/}; cd ../..; cd file/../a; echo $?; cd ./none/../a; echo $?',
			't\na\n\nb\n1\n1\n'
		],
		[
			"mkdir -p a/b x/b; CDPATH=x::a; cd b >/dev/null; echo ${PWD##*x/}; cd ../..; CDPATH=:a; cd b | sed 's,.*/a,a,'; CDPATH=none:; cd a; echo ${PWD##*/}; set -P; pwd -L | grep -c a; cd -x; echo $?",
			'b\na/b\na\n1\n2\n'
		]
	],
	'patterns out of expansions without extglob': [
		[
			"touch abc '@(a)'; x='@(*)'; echo $x; case abc in $x) echo yes;; *) echo no;; esac; y=abc; echo ${y#$x} ${y/$x/-}; shopt -s extglob; echo $x; case abc in $x) echo yes;; esac; echo ${y#@(a|b)}",
			'@(a)\nno\nabc abc\n@(a) abc\nyes\nbc\n'
		],
		[
			'HOME=/h; a=/h/x; echo ${a#~} "${a#~}" ${a%%~*}; set -- A; n() { echo $#; }; n "${@:+}"; n "${1+}"',
			'/x /x /h/x\n1\n1\n'
		]
	],
	'parentheses, devices and dots at their ends': [
		[
			'eval \'echo $((cat <<E\na(\nE\n))\'; echo $?; echo $((echo "("; echo x) | cat) $((echo ${x:-"("}) | cat)',
			'2\n( x (\n'
		],
		[
			'cat 3>/dev/null <&3; echo $?; read x 3>/dev/null <&3; echo $?; cat 3<>/dev/null <&3; echo $?; echo a 3>&1 >/dev/null >&3',
			'1\n1\n0\na\n'
		],
		[
			'mkdir d; >f; ln -s d l; ln -s f k; for path in f f/ f/. f/.. d/ d/. d/../f l/ l/.. l/../f k/; do test -e $path; echo $? $path; done; cd l; test -e ../f; echo $?; cd ..; for path in l l/ l/. l/..; do [[ -L $path ]]; echo $?; [ -d $path ]; echo $?; done',
			'0 f\n1 f/\n1 f/.\n1 f/..\n0 d/\n0 d/.\n0 d/../f\n0 l/\n0 l/..\n0 l/../f\n1 k/\n0\n0\n0\n1\n0\n1\n0\n1\n0\n'
		]
	],
	'the device /dev/null': [
		[
			"ln -s /dev/null l; for file in /dev/null l; do [ -f $file ]; echo $?; test -c $file; echo $?; [[ -e $file && ! -s $file && -r $file && -w $file ]]; echo $?; done; stat -c '%F %A %t,%T' /dev/null; stat -L -c %F l; find /dev/null -type c; find /dev/null -type f -o -empty; find -L l -type c; find l -xtype c -printf '%y %Y\\n'; ls -l /dev/null | awk '{ print $1, $5, $6 }'; cp /dev/null copy; [ -f copy ]; echo $?; cat /dev/null l; echo lost >l; wc -c <l",
			'1\n0\n0\n1\n0\n0\ncharacter special file crw-rw-rw- 1,3\ncharacter special file\n/dev/null\nl\nl c\ncrw-rw-rw- 1, 3\n0\n0\n'
		]
	],
	'the last parameter by its number': [
		[
			'set -- a bb; echo ${!#} ${!#-x} ${!#:=x} ${!#+x} ${!#/b/y} ${!##} ${!##b} ${!###b} ${!#%b} ${!#@Q} "${!#:0:1}" "${!#:1}"; (echo ${!#,}); (echo ${!#@}); set --; x=${!#}; echo ${x##*/}',
			"bb bb bb x yb bb b b b 'bb' b b\nbash\n"
		]
	],
	'jobs that were waited for': [
		[
			'false & wait %1; echo $?; wait $!; echo $?; wait %1; echo $?; false & wait $!; wait %1; echo $?; sleep 0.1 & jobs | cut -c1-3; wait; (set -o posix; false & wait %1; wait %1; echo $?)',
			'1\n1\n127\n127\n[1]\n1\n'
		]
	],
	'time without a command': [
		[
			"{ time; set -o posix; time; time -p; time -- true; TIMEFORMAT=x; time; time -p; ! time; echo $?; } 2>&1 | sed 's/[0-9]/0/g'",
			'\nreal	0m0.000s\nuser	0m0.000s\nsys	0m0.000s\nuser	0m0.00s\nsys	0m0.00s\nreal 0.00\nuser 0.00\nsys 0.00\nreal 0.00\nuser 0.00\nsys 0.00\nx\nreal 0.00\nuser 0.00\nsys 0.00\nx\n0\n'
		]
	],
	'LINENO as another variable': [
		['unset LINENO; echo "<$LINENO>"; LINENO=7; echo $LINENO\n(echo $LINENO)', '<>\n7\n7\n'],
		[
			'echo $LINENO; (echo $LINENO\necho $LINENO)\nf() { echo $LINENO; }; f; unset RANDOM; RANDOM=3; echo $RANDOM',
			'1\n1\n2\n3\n3\n'
		]
	],
	'statuses in traps': [
		["trap '(exit 1); exit' EXIT; (exit 2); exit", ''],
		["trap -- '- x' USR2; trap -p USR2", "trap -- '- x' SIGUSR2\n"]
	],
	'names, targets and listings in POSIX mode': [
		[
			"set -o posix; kill -l; kill -l SIGTERM; kill -s SIGTERM 1; trap 'echo x' USR1; trap '' USR2; trap; trap -p USR1 HUP ERR; trap USR1; echo $?; trap -p | wc -l; trap -p | head -3",
			"HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS RTMIN RTMIN+1 RTMIN+2 RTMIN+3 RTMIN+4 RTMIN+5 RTMIN+6 RTMIN+7 RTMIN+8 RTMIN+9 RTMIN+10 RTMIN+11 RTMIN+12 RTMIN+13 RTMIN+14 RTMIN+15 RTMAX-14 RTMAX-13 RTMAX-12 RTMAX-11 RTMAX-10 RTMAX-9 RTMAX-8 RTMAX-7 RTMAX-6 RTMAX-5 RTMAX-4 RTMAX-3 RTMAX-2 RTMAX-1 RTMAX\ntrap -- 'echo x' USR1\ntrap -- '' USR2\ntrap -- 'echo x' USR1\ntrap -- - HUP\ntrap -- - ERR\n"
		],
		[
			"set -o posix; y='a b' z='*'; echo hi > $y; echo ho > $z; ls; echo 'echo here' >insub; command . insub; echo $?; PATH=$PATH:.; . insub; command . ./none; echo $?",
			'*\na b\n1\nhere\n1\n'
		],
		[
			"set -o posix; continue 2; echo $?; break; echo $?; shopt -s xpg_echo; echo -n 'a\\nb'; echo $((1 + 1)); export A=1; export -p | grep ' A='; type -t :; f() { echo a; }; type f",
			'0\n0\n-n a\nb\n2\nexport A="1"\nbuiltin\nf is a function\nf () \n{ \n    echo a\n}\n'
		]
	]
});
