import { testFacts } from './bash-facts.ts';

testFacts({
	'process substitutions': [
		[
			'false; cat <(exit 3); echo $?; wait $!; echo $?; false; : <(exit 4); echo $?; while read x; do echo $x; done < <(echo a; exit 9); wait $!; echo $?; echo > >(exit 8); wait $!; echo $?',
			'0\n3\n0\na\n9\n8\n'
		],
		[
			'exec 4< <(echo subshell; echo two); read v <&4; echo $v; read v <&4; echo $v; { read a; read b; } < <(echo 1; echo 2); echo $a $b',
			'subshell\ntwo\n1 2\n'
		]
	],
	'what reads from a redirection': [
		['(exec > >(tee log); echo hi; exec >&-; wait $!); cat log', 'hi\nhi\n'],
		['exec 4> >(cat > f; echo read >> f); p=$!; echo x >&4; jobs; exec 4>&-; wait $p; echo $?; cat f', '0\nx\nread\n'],
		['exec {fd}> >(tr a-z A-Z > f; exit 5); echo up >&$fd; exec {fd}>&-; wait $!; echo $?; cat f', '5\nUP\n'],
		['yes 2> /dev/null > >(head -2 > f); echo $?; until [ -s f ]; do sleep 0.01; done; cat f', '141\ny\ny\n'],
		['{ echo x; echo y >&2; } 2> >(sed s/^/e:/ > f) | cat; until [ -s f ]; do sleep 0.01; done; cat f', 'x\ne:y\n'],
		['ls /missing &> >(wc -l > f); echo $?; until [ -s f ]; do sleep 0.01; done; cat f', '2\n1\n']
	],
	'traces, which redirections do not move': [
		[
			'{ set -x; printf a > f 2> g; b=1 true 2>> g; export HOME 2>> g; set +x; } 2> t; cat t g',
			'+ printf a\n+ b=1\n+ true\n+ export HOME\n+ set +x\n'
		]
	],
	'special builtins used wrongly as a condition': [
		[
			'set -o posix; { set -o missing || echo on; unset -z && echo no; } 2> e; cat e; (set -o missing; echo no) 2> e; echo $?',
			'on\nbash: line 1: set: missing: invalid option name\nbash: line 1: unset: -z: invalid option\nunset: usage: unset [-f] [-v] [-n] [name ...]\n2\n'
		],
		['umask 0124; umask a=X 2> e; echo $?; umask', '1\n0124\n']
	],
	'exec without a command': [
		[
			'command exec 3>f; echo x >&3; cat f; exec; echo $?; command exec 2>/dev/null; echo no >&2; echo yes',
			'x\n0\nyes\n'
		]
	],
	'input of jobs': [
		[
			"for x in 1 2; do { read line; echo $line; } & wait; done <<< $'a\\nb'; cat & wait; echo $?; while read x; do cat & wait; done <<< $'a\\nb\\nc'",
			'a\nb\n0\nb\nc\n'
		]
	],
	'names that redirections have': [
		['set -o posix; echo a > f1; cat < f*; echo x > g*; ls g*; set +o posix; cat < f1*', 'g*\na\n'],
		[
			'{ a=42; echo foo >&$a; echo foo >&42; read x <&$a; cat <<< ${x?no}; echo same $?; f() { cat; }; } 2>.e; cat .e',
			'same 127\nbash: line 1: $a: Bad file descriptor\nbash: line 1: 42: Bad file descriptor\nbash: line 1: $a: Bad file descriptor\nbash: line 1: x: no\n'
		]
	],
	'writing to what is closed': [
		[
			'{ exec 3</dev/null; echo foo >&-; pwd >&-; alias a=b; alias >&-; help >&-; echo $?; echo -n >&-; echo $?; read x <&-; echo $?; } 2>.e; cat .e',
			'0\n0\n1\nbash: line 1: echo: write error: Bad file descriptor\nbash: line 1: pwd: write error: Bad file descriptor\nbash: line 1: alias: write error: Bad file descriptor\nbash: line 1: read: read error: 0: Bad file descriptor\n'
		]
	],
	'subshells that end in their EXIT traps': [
		[
			": | { trap 'echo exit 3' EXIT; exit; } | : ; echo after; { trap 'echo in trap' EXIT; exit; } | cat; echo end",
			'after\nin trap\nend\n'
		]
	],
	'traps in functions and traps': [
		[
			"trap 'echo r $LINENO ${FUNCNAME[0]}' RETURN; echo 'echo s' > s; . ./s; f() { :; }; set -T; f; . ./s; declare -ft f; set +T; f; declare -F; declare -f +t f; f",
			's\nr 1\nr 1 f\ns\nr 1\nr 1 f\ndeclare -ft f\n'
		],
		[
			"d() {\necho d $1; }\nset -T; trap 'd $LINENO' DEBUG; trap 'echo r $LINENO' RETURN\nf() {\n:\n}\nf\ntrap - DEBUG RETURN",
			'd 3\nd 7\nd 4\nd 5\nd 4\nr 4\nd 8\n'
		],
		["set -m; trap 'echo child' CHLD; sleep 0.1 & sleep 0.2 & wait; trap - CHLD; echo end", 'child\nchild\nend\n'],
		[
			'shopt -s extdebug; f() { echo ${#BASH_ARGV[@]} "${BASH_ARGV[@]}"; }; g() { f x "$@" y; }; g 1 2',
			'6 y 2 1 x 2 1\n'
		]
	]
});
