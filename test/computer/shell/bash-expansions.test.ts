import { testFacts } from './bash-facts.ts';

testFacts({
	'substrings and replacements': [
		[
			'x=abcdef; j=2; echo ${x:(j?1:0):j} ${x:(j?(1?1:0):0):j}; var=; echo "<${var//*/x}><${var/*/x}>"; var=abc; echo "${var//*/x}"; shopt -u patsub_replacement; echo ${x//?/\\$\\\'&\\\' } ${x/abc/\\\\&}; shopt -s patsub_replacement; echo ${x/abc/[&]}',
			"bc bc\n<x><x>\nx\n$'&' $'&' $'&' $'&' $'&' $'&' \\&def\n[abc]def\n"
		],
		[
			'exec 2>&1; (set -u; echo $9); (set -u; echo ${9}); (set -u; echo "$!"); (x=abc; n=-9; echo ${x:1:n}); (set -- a b; echo ${@:1:$(($# - 3))}); : ${6:=x}\necho next; echo ${x@C}; x=1; echo ${x@C}',
			'bash: line 1: $9: unbound variable\nbash: line 1: 9: unbound variable\nbash: line 1: $!: unbound variable\nbash: line 1: n: substring expression < 0\nbash: line 1: $(($# - 3)): substring expression < 0\nbash: line 1: $6: cannot assign in this way\nnext\n\nbash: line 2: ${x@C}: bad substitution\n'
		],
		[
			'exec 2>&1; : ${6:=x}\necho next; echo ${x@C}\necho ${!1*}\necho end',
			'bash: line 1: $6: cannot assign in this way\nnext\n\nbash: line 3: ${!1*}: bad substitution\nend\n'
		]
	],
	'attributes of what has no value': [
		[
			'declare -lr v1; declare -alr v3; declare -A m; echo ${v1@A} / ${v1[@]@A} / ${v1[@]@a} / ${v1@a} / ${v3@A} / ${v3[@]@A} / ${v3[@]@a} / ${v3@a} / ${m[@]@A}',
			'declare -rl v1 / declare -rl v1 / rl / rl / declare -arl v3 / declare -arl v3 / arl / arl / declare -A m\n'
		]
	],
	'files as the output of commands': [
		[
			'echo a > f1; echo "$(< f*)"; { echo "$(< /dev/stdin)"; } <<< hi; { : "$({fd}< /dev/stdin)"; } <<< hi; echo "<$fd>"; { 11111111111< /dev/null; } 2>.e; cat .e',
			'a\nhi\n<>\nbash: line 1: 11111111111: command not found\n'
		]
	],
	'names of options in tests': [
		[
			'k="x\'y"; declare -A a=([$k]=1); shopt -s assoc_expand_once; test -v a["$k"]; echo $?; test -v "a[z]"; echo $?',
			'1\n1\n'
		]
	],
	"references to the name of a function's own reference": [
		[
			'f() { local -n v=$1; echo $v; v=inside; }; v=global; f v 2>/dev/null; echo $v; g() { local -n a=$1; a[1]=X; echo "${a[@]}"; a+=(y); }; a=(1 2); g a 2>/dev/null; declare -p a; h() { local -n m=$1; echo ${m[k]} ${!m[@]}; m[l]=3; }; declare -A m=([k]=v); h m 2>/dev/null; declare -p m',
			'global\ninside\n1 X\ndeclare -a a=([0]="1" [1]="X" [2]="y")\nv k\ndeclare -A m=([l]="3" [k]="v" )\n'
		],
		[
			'i() { local -n ref=$1; j ref; }; j() { local -n ref=$1; echo "<$ref>"; ref=5; }; ref=1; i ref 2>/dev/null; echo $ref',
			'<1>\n5\n'
		]
	],
	'transformations of what is not set': [
		[
			'{ (declare -ia foo=(); echo ${foo@a}; echo ${foo@A}; set -u; echo ${foo@a}; echo no); (declare -a foo=([1]=one); set -u; echo ${foo@a}); (declare -ia foo=(); bar=foo; set -u; echo ${!bar@A}; echo no); (set -u; x=y; echo ${!x}); } 2>.e; cat .e',
			'ai\ndeclare -ai foo\na\nbash: line 1: foo: unbound variable\nbash: line 1: !bar: unbound variable\nbash: line 1: !x: unbound variable\n'
		]
	]
});
