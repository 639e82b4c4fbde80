import { testFacts } from './bash-facts.ts';

testFacts({
	'variables of one command': [
		[
			'FOO=g; FOO=bar cat < <(echo $FOO); FOO=bar cat <<< "$FOO"; FOO=bar read x <<< "$FOO"; echo $x; f() { cat; }; FOO=bar f <<< "$FOO"; FOO=q true > $FOO; ls g',
			'g\ng\ng\ng\ng\n'
		],
		[
			'a=1; a=2 b=$a printenv b; echo $a; i=0; x=$((++i)) printenv x > out$((++i)); ls out*; set -k; a=5 b=6 printenv a c=7 b d=8; /bin/echo x=4 y "z=5" \'q=6\' r; $none k=3; echo $k; set +k; echo a=3',
			'2\n1\nout2\n5\n6\ny z=5 q=6 r\n3\na=3\n'
		],
		[
			't=foo declare -r t; declare -p t; s=a export u; u=foo export u=4; declare -p u; v=foo declare -x v; declare -p v',
			'declare -rx t="foo"\ndeclare -x u="4"\ndeclare -x v="foo"\n'
		],
		[
			'f() { export x; x=5; }; x=4 f; declare -p x; f() { readonly y; }; y=4 f; declare -p y; f() { declare -gx z=6; }; z=4 f; declare -p z; f() { w=9; }; w=4 f; echo ${w-unset}',
			'declare -x x="5"\ndeclare -rx y="4"\ndeclare -x z="6"\nunset\n'
		],
		[
			'f() { z=y typeset z; echo "|$z|"; }; f; z=42 f; f() { local var=inside; var=value export var; declare -p var; }; var=outside; f; declare -p var',
			'|y|\n|y|\ndeclare -x var="value"\ndeclare -- var="outside"\n'
		]
	],
	'local variables': [
		[
			'f() { local -; set -u; shopt -so noglob; echo $-; }; f; echo $-; f() { local - x=1; set -f; echo $x; }; f; echo $-',
			'fhuBc\nhBc\n1\nhBc\n'
		],
		[
			'a=(0 1 2); f() { local -a a=("${a[@]}" 3); declare -p a; local b=("${a[@]:1}"); declare -p b; }; f; declare -p a; declare -A m=([k]=v); g() { local -A m=([l]="${m[k]}w"); declare -p m; }; g',
			'declare -a a=([0]="0" [1]="1" [2]="2" [3]="3")\ndeclare -a b=([0]="1" [1]="2" [2]="3")\ndeclare -a a=([0]="0" [1]="1" [2]="2")\ndeclare -A m=([l]="vw" )\n'
		],
		[
			'{ f() { local -r x=1; g; }; g() { local x=2; echo $x; }; f; readonly q=1; h() { local q=2; echo $q; }; h; shopt -s localvar_inherit; a=(1 2 3); i() { local a; declare -p a; local -a a+=(4); declare -p a; }; i; x=4; j() { local x+=5; echo $x; }; j; } 2>.e; cat .e',
			'2\n1\ndeclare -a a=([0]="1" [1]="2" [2]="3")\ndeclare -a a=([0]="1" [1]="2" [2]="3" [3]="4")\n45\nenvironment: line 1: local: q: readonly variable\n'
		],
		['export v=1; f() { local v; printenv v; v=2; printenv v; }; f', '1\n2\n'],
		[
			'IGNOREEOF=3; set -o | grep ignoreeof; unset IGNOREEOF; set -o | grep ignoreeof; set -o ignoreeof; echo $IGNOREEOF; set +o ignoreeof; echo "<$IGNOREEOF>"',
			'ignoreeof      \ton\nignoreeof      \toff\n10\n<>\n'
		],
		["trap 'echo trap:$FUNCNAME' EXIT; f() { exit; }; f", 'trap:f\n'],
		[
			'm=x; declare -A m=([zero]=1 [one]=2); declare -p m; declare -A n=([zero]=1 [one]=2); declare -p n',
			'declare -A m=([zero]="1" [one]="2" )\ndeclare -A n=([one]="2" [zero]="1" )\n'
		]
	],
	'what functions unset': [
		[
			'f() { local v=x; unset v; declare -p v; echo ${v-u}; v=3; declare -p v; }; v=g; f; v=t f; declare -p v; g() { local a=(1 2); unset a; declare -p a; a=5; declare -p a; }; g',
			'declare -- v\nu\ndeclare -- v="3"\ndeclare -x v\nu\ndeclare -x v="3"\ndeclare -- v="g"\ndeclare -- a\ndeclare -- a="5"\n'
		],
		[
			'export e=1; f() { local e; printenv e; local +x e; printenv e; unset e; printenv e; e=3; printenv e; }; f',
			'1\n1\n1\n1\n'
		]
	],
	'assignments that are none': [
		[
			'{ f() { var[0]=X printenv var; }; f; var[0]=Y true; echo ${var-unset}; g() { declare -A w+=([0]=X); }; declare -a w=(12); g; } 2>.e; cat .e',
			"unset\nenvironment: line 1: `var[0]': not a valid identifier\nbash: line 1: `var[0]': not a valid identifier\n"
		]
	]
});
