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
	]
});
