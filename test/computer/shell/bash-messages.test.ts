import { testFacts } from './bash-facts.ts';

testFacts({
	'wrong syntax in texts': [
		[
			"{ eval 'a ) b'; echo $?; printf 'echo \"b\\nc\\n' >s; . ./s; printf 'cat <<E\\nc\\n' >s; . ./s; } 2>.e; cat .e",
			"2\nc\nbash: eval: line 1: syntax error near unexpected token `)'\nbash: eval: line 1: `a ) b'\n./s: line 1: unexpected EOF while looking for matching `\"'\n./s: line 2: warning: here-document at line 1 delimited by end-of-file (wanted `E')\n"
		],
		[
			"{ trap 'a )' DEBUG; :; } 2>.e; cat .e",
			"bash: debug trap: line 1: syntax error near unexpected token `)'\nbash: debug trap: line 1: `a )'\n"
		]
	],
	'usage of builtins': [
		[
			'{ type -x; declare -Z a; set -Z; ulimit --; cd a b; } 2>.e; cat .e',
			'unlimited\nbash: line 1: type: -x: invalid option\ntype: usage: type [-afptP] name [name ...]\nbash: line 1: declare: -Z: invalid option\ndeclare: usage: declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]\nbash: line 1: set: -Z: invalid option\nset: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]\nbash: line 1: cd: too many arguments\n'
		],
		[
			'{ help -s cd type; help nosuch; echo $?; } 2>.e; cat .e',
			"cd: cd [-L|[-P [-e]] [-@]] [dir]\ntype: type [-afptP] name [name ...]\n1\nbash: line 1: help: no help topics match `nosuch'.  Try `help help' or `man -k nosuch' or `info nosuch'.\n"
		]
	],
	'faults of arithmetic': [
		[
			"{ for e in ' 7 = 43' '2#44' '44 / 0 ' '2#110#11' '3425#56 ' '4 ? : 3' '1 ? 20' '1 ? 20 : x+=2' '2 ** -1 ' '4 ? 20 : ' '2#'; do (( $e )); let \"$e\"; done; echo done; } 2>.e; cat .e",
			'done\nbash: line 1: ((: 7 = 43 : attempted assignment to non-variable (error token is "= 43 ")\nbash: line 1: let: 7 = 43: attempted assignment to non-variable (error token is "= 43")\nbash: line 1: ((: 2#44: value too great for base (error token is "2#44")\nbash: line 1: let: 2#44: value too great for base (error token is "2#44")\nbash: line 1: ((: 44 / 0  : division by 0 (error token is "0  ")\nbash: line 1: let: 44 / 0 : division by 0 (error token is "0 ")\nbash: line 1: ((: 2#110#11: invalid number (error token is "2#110#11")\nbash: line 1: let: 2#110#11: invalid number (error token is "2#110#11")\nbash: line 1: ((: 3425#56: invalid arithmetic base (error token is "3425#56")\nbash: line 1: let: 3425#56: invalid arithmetic base (error token is "3425#56")\nbash: line 1: ((: 4 ? : 3 : expression expected (error token is ": 3 ")\nbash: line 1: let: 4 ? : 3: expression expected (error token is ": 3")\nbash: line 1: ((: 1 ? 20 : `:\' expected for conditional expression (error token is "20 ")\nbash: line 1: let: 1 ? 20: `:\' expected for conditional expression (error token is "20")\nbash: line 1: ((: 1 ? 20 : x+=2 : attempted assignment to non-variable (error token is "+=2 ")\nbash: line 1: let: 1 ? 20 : x+=2: attempted assignment to non-variable (error token is "+=2")\nbash: line 1: ((: 2 ** -1  : exponent less than 0 (error token is "1  ")\nbash: line 1: let: 2 ** -1 : exponent less than 0 (error token is "1 ")\nbash: line 1: ((: 4 ? 20 :  : expression expected (error token is ":  ")\nbash: line 1: let: 4 ? 20 : : expression expected (error token is ": ")\nbash: line 1: ((: 2#: invalid integer constant (error token is "2#")\nbash: line 1: let: 2#: invalid integer constant (error token is "2#")\n'
		]
	],
	'patterns that exclude': [
		[
			"{ shopt -s extglob; for p in '!(foo)*' '*(!(foo))' '!(foo)b*' '!(f)' '!(foo)' 'f!(o)' '+(!(f))' '@(!(foo)|x)'; do for s in foo foobb fff f x ''; do [[ $s = $p ]]; echo -n $?; done; echo; done; v=a.b.c; echo ${v##!(*.c)} ${v%%!(a*)}; } 2>.e; cat .e",
			'000000\n000000\n101111\n000100\n100000\n000011\n000100\n100000\nc a\n'
		],
		[
			"{ for p in '[[.-.]-9]' '[[.a.]-[.zz.]p]' '[[.yyz.]cde]' '[[.space.][.tab.]]' '[[=b=]]' '[[:ascii:]]'; do for s in 5 p c ' ' b; do case $s in $p) echo -n 1;; *) echo -n 0;; esac; done; echo; done; } 2>.e; cat .e",
			'10000\n01000\n00100\n00010\n00001\n11111\n'
		]
	]
});
