import { testFacts } from './bash-facts.ts';

testFacts({
	'values as set shows them': [
		[
			"{ for v in a#b '#a' \"'\" \"it's\" a~b '~a' x:~ 'a!b' '{a}' \u00e9 a,b; do (set -x; : \"$v\"); done; v=\"'\"; set | grep '^v='; } 2>.e; cat .e",
			"v=\\'\n+ : a#b\n+ : '#a'\n+ : \\'\n+ : 'it'\\''s'\n+ : a~b\n+ : '~a'\n+ : 'x:~'\n+ : 'a!b'\n+ : '{a}'\n+ : é\n+ : a,b\n"
		]
	],
	'POSIX mode': [
		[
			'{ cat >s <<\\E\nset -o posix\nHOME=/h; echo a=~ b:~ ~/c; echo "${HOME+\'}\'z}"; x=~/a:~/b; echo $x; POSIXLY_CORRECT=; echo ${y:=~/p:~/q}\nE\n. ./s; } 2>.e; cat .e',
			"a=~ b:~ /h/c\n''z}\n/h/a:/h/b\n/h/p:~/q\n"
		],
		[
			'{ echo a=~root; echo "${HOME+\'}\'z}"; echo "${HOME+-"\\\'\\p\\\\"-}"; echo "`echo \'a\\\nb\'`"; } 2>.e; cat .e',
			"a=/root\n'}'z\n-'p\\-\nab\n"
		]
	],
	'escapes in quotes': [
		[
			"{ echo $'\\c?\\cA\\x{41}b\\x{4' | od -An -c; echo $'a\\c\\\\b' | od -An -c; for w in '${#/}' '${#%}' '${#=}' '${#+}' '${#:%}'; do eval \"echo $w\"; done; } 2>.e; cat .e",
			' 177 001   A   b 004  \\n\n   a 034   b  \\n\nbash: line 1: ${#/}: bad substitution\nbash: line 1: ${#%}: bad substitution\nbash: line 1: ${#=}: bad substitution\nbash: line 1: ${#+}: bad substitution\nbash: line 1: #: %: syntax error: operand expected (error token is "%")\n'
		]
	],
	'special variables': [
		[
			'{ BASH_ARGV0=me; echo $0; f() { FUNCNAME=7; echo $FUNCNAME; }; f; FUNCNEST=3; g() { g; }; g\necho $?; } 2>.e; cat .e',
			'me\nf\n'
		],
		[
			"{ typeset -i x=2; x+=5 eval 'echo $x'; exec 5>t; BASH_XTRACEFD=5; set -x; a+=1 true; set +x; cat t; printf 'a\\nb\\nc\\n' >l; mapfile -t -c 1 -C 'echo got' m <l; echo ${#m[@]}; } 2>.e; cat .e",
			'7\n+ a=1\n+ true\n+ set +x\ngot 0 a\ngot 1 b\ngot 2 c\n3\n'
		],
		["{ a=1; set -x; a+=2; a+='b c'; } 2>.e; cat .e", "+ a+=2\n+ a+='b c'\n"]
	],
	'signs behind numbers': [
		[
			"{ a=1; echo $((4+++a)) $((4---a)) $((4 - -1)); echo $((4--)); echo $((a++ + 1)) $((a--)) $a; [[ a =~ ['a]'] ]]; echo $?; [[ ']' =~ [']'] ]]; echo $?; [[ a.b =~ \"a.\" ]]; echo $?; } 2>.e; cat .e",
			'6 3 5\n'
		]
	]
});
