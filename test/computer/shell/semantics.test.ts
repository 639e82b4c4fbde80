import { testFacts } from './bash-facts.ts';

testFacts({
	arrays: [
		['a=(1 2 3); unset "a[1]"; a+=(4); declare -p a', 'declare -a a=([0]="1" [2]="3" [3]="4")\n'],
		['declare -A m=([x]=1 ["y z"]=2); echo "${m[y z]}" ${#m[@]}; unset "m[x]"; echo ${!m[@]}', '2 2\ny z\n'],
		['a=(5 6 7 8); echo ${a[@]:1:2} ${a[-1]}; i=2; echo ${a[i+1]} ${a[$i]}', '6 7 8\n8 7\n'],
		['declare -i n=3; n+=4; echo $n; declare -ia b=(1+1 2); echo ${b[@]}', '7\n2 2\n']
	],
	scopes: [
		['x=1; f() { local x=2; g; }; g() { echo $x; x=3; }; f; echo $x', '2\n1\n'],
		['x=g; f() { unset x; echo ${x-none}; }; x=t f', 'g\n'],
		['f() { declare -g made=1; declare hidden=2; }; f; echo $made ${hidden-none}', '1 none\n']
	],
	references: [
		['declare -n r=x; x=5; r=6; echo $x ${!r}', '6 x\n'],
		['a=(1 2); declare -n e="a[1]"; e=9; echo ${a[@]}', '1 9\n'],
		['x=y; y=z; echo ${!x}; a=(p q); n="a[1]"; echo ${!n}', 'z\nq\n']
	],
	traps: [
		['trap "echo dbg" DEBUG; f() { echo in; }; f', 'dbg\nin\n'],
		['trap "echo err" ERR; false || true; { false; }; ! true; echo end', 'err\nend\n'],
		['trap "echo bye" EXIT; (trap); exit 3', "trap -- 'echo bye' EXIT\nbye\n"],
		['set -T; trap "echo ret" RETURN; f() { :; }; f', 'ret\n']
	],
	expansions: [
		['x=abcabc; echo ${x//b/[&]} ${x/#a/-} ${x^^[ab]} ${x: -2}', 'a[b]ca[b]c -bcabc ABcABc bc\n'],
		['set -- a "" b; IFS=x; for i in $@; do echo "<$i>"; done', '<a>\n<>\n<b>\n'],
		['echo {a,b}{1..3..2} {c..a} {01..3} "{x,y}"', 'a1 a3 b1 b3 c b a 01 02 03 {x,y}\n'],
		['x="a b"; echo ${x@Q} "${x@A}"; PS1="\\$ "; echo "${PS1@P}|"', "'a b' x='a b'\n$ |\n"]
	],
	errors: [
		['echo $((1/0)); echo same line\necho next', 'next\n'],
		['readonly r=1; r=2; echo same line\necho next', 'next\n'],
		['eval "echo \\$((1/0))"; echo $?', '1\n'],
		['echo ${x y}; echo same line\necho next', 'next\n']
	],
	aliases: [['shopt -s expand_aliases\nalias say="echo " w=word\nsay w', 'word\n']],
	completion: [
		['compgen -W "one two three" t', 'two\nthree\n'],
		['complete -W "a b" cmd; complete -p cmd', "complete -W 'a b' cmd\n"],
		['f() { COMPREPLY=(x y); }; compgen -F f', 'x\ny\n']
	],
	reading: [
		['printf \'a\\\\ b c\\n\' | { read x y; echo "$x|$y"; }', 'a b|c\n'],
		["printf 'abcdef' | { read -n 3 x; echo $x; }", 'abc\n'],
		['printf \'a:b:c:\\n\' | { IFS=: read x y; echo "$y"; }', 'b:c:\n']
	]
});
