import { testFacts } from './bash-facts.ts';

testFacts({
	'texts that end early': [
		[
			"for s in 'X() { (a)>\\' '{' 'a &&' 'echo x >' 'case' 'cat <<' 'in' 'x=1 in'; do eval \"$s\"; done 2>o; cat o",
			"bash: eval: line 3: syntax error: unexpected end of file\nbash: eval: line 2: syntax error: unexpected end of file\nbash: eval: line 2: syntax error: unexpected end of file\nbash: eval: line 1: syntax error near unexpected token `newline'\nbash: eval: line 1: `echo x >'\nbash: eval: line 1: syntax error near unexpected token `newline'\nbash: eval: line 1: `case'\nbash: eval: line 1: syntax error near unexpected token `newline'\nbash: eval: line 1: `cat <<'\nbash: eval: line 1: syntax error near unexpected token `in'\nbash: eval: line 1: `in'\nbash: line 1: in: command not found\n"
		],
		[
			'for s in \'for (( i=0; "i < 3" )); do :; done\' \'for (( i=0; i<3; i++; 7 )); do :; done\'; do eval "$s"; echo $?; done 2>o; cat o',
			"2\n2\nbash: eval: line 1: syntax error: arithmetic expression required\nbash: eval: line 1: syntax error: `(( i=0; \"i < 3\" ))'\nbash: eval: line 1: syntax error: `;' unexpected\nbash: eval: line 1: syntax error: `(( i=0; i<3; i++; 7 ))'\n"
		],
		[
			'exec 2>&1; x=$(cat <<A\nb\nA); echo $x; read y <<A\n$(seq 10\nA\necho "<$y>"; x=$(cat <<\\A\\\n4\nd\nA4\n); echo $x',
			"b\nbash: command substitution: line 5: unexpected EOF while looking for matching `)'\n<>\nd\n"
		]
	],
	'names of lines': [
		[
			'exec 2>&1\nnone "a\nb"\nnone a "b\nc"\nx="a\nb" none\necho `\nnone`\nshopt -s expand_aliases; alias foo=$\'echo foo\\n\\nnone\\n\'\n\nfoo\nnone',
			'bash: line 3: none: command not found\nbash: line 4: none: command not found\nbash: line 7: none: command not found\nbash: line 10: none: command not found\n\nfoo\nbash: line 12: none: command not found\nbash: line 13: none: command not found\n'
		]
	],
	'declarations of text': [
		[
			'exec 2>&1\na=(1)\nreadonly a\nreadonly a=(2)\nreadonly "a=(3)"\nreadonly -a "a=(4)"\nb=(1)\nreadonly "b=(3)"\nexport -a c="(7 8)"\ndeclare -p a b c',
			'bash: line 4: a: readonly variable\nbash: line 5: a: readonly variable\nbash: line 6: readonly: a: readonly variable\ndeclare -ar a=([0]="1")\ndeclare -ar b=([0]="(3)")\ndeclare -ax c=([0]="7" [1]="8")\n'
		]
	],
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
