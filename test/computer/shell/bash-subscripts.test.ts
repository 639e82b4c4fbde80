import { testFacts } from './bash-facts.ts';

testFacts({
	'subscripts with an odd quote': [
		[
			'exec 2>&1; declare -A a; k="it\'s"; (( a[$k]++ )); a[$k]+=1; declare -p a; printf -v "a[\'x" q; echo $?; read "a[\\"]" <<< q; echo $?; declare "a[\'x=3"; echo $?',
			"declare -A a=([\"it's\"]=\"11\" )\nbash: line 1: printf: `a['x': not a valid identifier\n2\nbash: line 1: read: `a[\"]': not a valid identifier\n1\nbash: line 1: declare: `a['x=3': not a valid identifier\n1\n"
		],
		[
			'exec 2>&1; x=\'a "b\'; echo "${x@P}"; x=\'a ${b\'; echo "${x@P}"; x=\'a `b\'; echo "${x@P}"',
			'a "b\nbash: line 1: a ${b: bad substitution\na ${b\nbash: line 1: bad substitution: no closing "`" in `b\na `b\n'
		],
		[
			"exec 2>&1; k='x],b[$(echo>&2)'; declare -A a; a[$k]=1; (( a[$k]++ )); [[ a[$k] -eq 2 ]]; echo $?; [[ -v a[$k] ]]; echo $?; test -v a[$k]; echo $?; unset a[$k]; declare -p a; b=(1 2 3); c=(0 1 2); echo $((b[c[1]])) $((b[b[0]+1]))",
			'0\n0\n1\ndeclare -A a=()\n2 3\n'
		]
	],
	'subscripts that are wrong': [
		[
			'exec 2>&1; a=(1 2); printf -v "a[@]" x; echo same $?; read "a[*]" <<< x; echo same $?\na[*]=3; echo same $?\na[]=3; echo same $?\na[-5]=3; echo same $?\na=(1 [*]=2 []=3 [-9]=4 5); echo same $?; declare -p a\n((a[*]=3)); echo $?; ((a[-9]=3)); echo $?; echo $((a[@])); unset "a[-10]"; echo $?\nreadonly r=(1); r[-4]=1; echo same\nunset "r[0]"; echo $?',
			'bash: line 1: a[@]: bad array subscript\nsame 1\nbash: line 1: a[*]: bad array subscript\nsame 1\nbash: line 2: a[*]: bad array subscript\nbash: line 3: a[]: bad array subscript\nbash: line 4: a[-5]: bad array subscript\nbash: line 5: [*]=2: cannot assign to non-numeric index\nbash: line 5: []=3: bad array subscript\nbash: line 5: [-9]=4: bad array subscript\nsame 0\ndeclare -a a=([0]="1" [1]="5")\nbash: line 6: a[*]: bad array subscript\n0\nbash: line 6: a[-9]: bad array subscript\n0\nbash: line 6: a[@]: bad array subscript\n0\nbash: line 6: unset: [-10]: bad array subscript\n1\nbash: line 7: r[-4]: bad array subscript\nbash: line 8: unset: r: cannot unset: readonly variable\n1\n'
		],
		[
			'exec 2>&1; declare -A m; m[]=4; echo same $?\nm[""]=4; echo same $?\nm=([""]=1 [b]=2); echo $?; declare -p m; m=("" 2 c d); declare -p m',
			'bash: line 1: m[]: bad array subscript\nbash: line 2: m[""]: bad array subscript\nbash: line 3: [""]=1: bad array subscript\n0\ndeclare -A m=([b]="2" )\nbash: line 3: "": bad array subscript\ndeclare -A m=([c]="d" )\n'
		],
		[
			'exec 2>&1; declare -A a=([x]=1); unset "a[@]"; declare -p a; a=([1]=2); unset "a[*]"; declare -p a; x=1; unset "x[@]"; echo $? $x; unset "x[1]"; echo $?; unset "x[0]"; declare -p x; i=(1 2); unset "i[@]"; declare -p i',
			'declare -A a=([x]="1" )\ndeclare -A a=([1]="2" )\nbash: line 1: unset: x: not an array variable\n1 1\nbash: line 1: unset: x: not an array variable\n1\nbash: line 1: declare: x: not found\ndeclare -a i=()\n'
		],
		[
			'exec 2>&1; declare -A A; k=\']\'; read "A[$k]" <<< X; printf -v "A[$k]" x; declare A[$k]=X; declare "A[$k]=X"; A[$k]=X; declare -p A; declare A["foo[bar"]=1; typeset 1a; declare -p "A[x]"; declare b[1]; declare -p b',
			"bash: line 1: read: `A[]]': not a valid identifier\nbash: line 1: printf: `A[]]': not a valid identifier\nbash: line 1: declare: `A[]]=X': not a valid identifier\nbash: line 1: declare: `A[]]=X': not a valid identifier\ndeclare -A A=([\"]\"]=\"X\" )\nbash: line 1: declare: `A[foo[bar]=1': not a valid identifier\nbash: line 1: typeset: `1a': not a valid identifier\nbash: line 1: declare: A[x]: not found\ndeclare -a b\n"
		]
	],
	'keys in lists': [
		[
			'declare -A m=([a=b]=1 ["#"]=2 ["~"]=3 ["x:~"]=4 [@]=5 [%]=5 [a,b]=6); declare -p m; echo "${m[@]@K}"; n=(1 "a b"); echo "${n[@]@K}"',
			'declare -A m=([a,b]="6" [%]="5" ["#"]="2" [a=b]="1" ["@"]="5" ["~"]="3" ["x:~"]="4" )\na,b "6" % "5" "#" "2" a=b "1" "@" "5" "~" "3" "x:~" "4" \n0 "1" 1 "a b"\n'
		]
	],
	'arrays that the shell makes, in lists': [
		[
			"declare -a | grep -vE 'BASH_ARG|PIPESTATUS'; declare -A; set | grep -E '^(BASH_ALIASES|BASH_CMDS|DIRSTACK|RANDOM|SECONDS|EPOCH)'; declare -p FUNCNAME BASH_ALIASES; f() { declare -p FUNCNAME; }; f",
			'declare -a BASH_LINENO=()\ndeclare -a BASH_SOURCE=()\ndeclare -ar BASH_VERSINFO=([0]="5" [1]="2" [2]="15" [3]="1" [4]="release" [5]="x86_64-pc-linux-gnu")\ndeclare -a DIRSTACK=()\ndeclare -a FUNCNAME\ndeclare -a GROUPS=()\ndeclare -A BASH_ALIASES=()\ndeclare -A BASH_CMDS=()\nBASH_ALIASES=()\nBASH_CMDS=()\nDIRSTACK=()\ndeclare -a FUNCNAME\ndeclare -A BASH_ALIASES=()\ndeclare -a FUNCNAME=([0]="f")\n'
		],
		['g() { echo g; }; declare | tail -4', 'g () \n{ \n    echo g\n}\n']
	]
});
