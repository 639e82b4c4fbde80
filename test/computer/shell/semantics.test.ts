import { testFacts } from './bash-facts.ts';

testFacts({
	'indices in quotes': [
		[
			"exec 2>&1; b=([$'1']=x); declare -p b; c=([$'x\\001y\\177z']=1)",
			'declare -a b=([1]="x")\nbash: line 1: xy\x7fz: syntax error: invalid arithmetic operator (error token is "\x7fz")\n'
		]
	],
	'signs that no expression has': [
		[
			"exec 2>&1; for e in x@ '3 4' '3 $' '1 ;' '3.4' '1 :' '1 {'; do eval \"echo \\$(( $e ))\"; done",
			'bash: line 1: x@ : syntax error: invalid arithmetic operator (error token is "@ ")\nbash: line 1: 3 4 : syntax error in expression (error token is "4 ")\nbash: line 1: 3 $ : syntax error: invalid arithmetic operator (error token is "$ ")\nbash: line 1: 1 ; : syntax error: invalid arithmetic operator (error token is "; ")\nbash: line 1: 3.4 : syntax error: invalid arithmetic operator (error token is ".4 ")\nbash: line 1: 1 : : syntax error in expression (error token is ": ")\nbash: line 1: 1 { : syntax error: invalid arithmetic operator (error token is "{ ")\n'
		]
	],
	'the stack of directories': [
		[
			'mkdir -p /tmp/st/a /tmp/st/b; cd /tmp/st; HOME=/none; pushd a; pushd /; pushd +2; pushd; popd -n +1; dirs -v -l; DIRSTACK[1]=/usr; dirs; dirs +1; echo ~1 ~-0 ~-1; pushd -n /x; popd +0; dirs -c; dirs',
			'/tmp/st/a /tmp/st\n/ /tmp/st/a /tmp/st\n/tmp/st / /tmp/st/a\n/ /tmp/st /tmp/st/a\n/ /tmp/st/a\n 0  /\n 1  /tmp/st/a\n/ /usr\n/usr\n/usr /usr /\n/ /x /usr\n/\n'
		],
		[
			"exec 2>&1; cd /; for s in 'pushd -m' 'popd 7' 'dirs 7' 'dirs +9' 'pushd' 'popd' 'pushd a b' 'pushd -n' 'pushd -n /tmp' 'dirs -9' 'popd +9'; do eval \"$s\"; echo $?; done",
			'bash: line 1: pushd: -m: invalid number\npushd: usage: pushd [-n] [+N | -N | dir]\n2\nbash: line 1: popd: 7: invalid argument\npopd: usage: popd [-n] [+N | -N]\n2\nbash: line 1: dirs: 7: invalid option\ndirs: usage: dirs [-clpv] [+N] [-N]\n2\nbash: line 1: dirs: directory stack empty\n1\nbash: line 1: pushd: no other directory\n1\nbash: line 1: popd: directory stack empty\n1\nbash: line 1: pushd: too many arguments\n1\n0\n/ /tmp\n0\nbash: line 1: dirs: 9: directory stack index out of range\n1\nbash: line 1: popd: +9: directory stack index out of range\n1\n'
		]
	],
	'options of a script': [
		[
			'exec 2>&1; set -- -ax -b; OPTIND=; while getopts ab: o; do echo "$o ${OPTARG-none} $OPTIND"; done; OPTIND=1 OPTERR=0; while getopts ab: o; do echo $o; done; getopts; echo $?; readonly OPTARG; OPTIND=1; getopts :b x -z',
			'a none 1\nbash: illegal option -- x\n? none 2\nbash: option requires an argument -- b\n? none 3\na\n?\n?\ngetopts: usage: getopts optstring name [arg ...]\n2\nbash: line 1: OPTARG: readonly variable\n'
		]
	],
	'a restricted shell': [
		[
			"exec 2>&1; set -r; echo $-; for s in 'cd /' '/bin/sh' 'echo a >b' '. ./x' 'command -p ls' 'set +r' 'set +o restricted' 'exec ls' 'hash -p /x y' 'BASH_CMDS[a]=nope'; do eval \"$s\"; done; echo end",
			"hrBc\nbash: line 1: cd: restricted\nbash: line 1: /bin/sh: restricted: cannot specify `/' in command names\nbash: line 1: b: restricted: cannot redirect output\nbash: line 1: .: ./x: restricted\nbash: line 1: command: -p: restricted\nbash: line 1: set: +r: invalid option\nset: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]\nbash: line 1: set: restricted: invalid option name\nbash: line 1: exec: restricted\nbash: line 1: hash: /x: restricted\nbash: line 1: nope: not found\nend\n"
		]
	],
	'tables as arrays': [
		[
			"BASH_CMDS[foo]=/bin/cat; BASH_ALIASES[x]='echo hi'; alias y=z; hash; echo ${BASH_CMDS[foo]} ${!BASH_CMDS[@]} ${!BASH_ALIASES[@]}; alias",
			"hits\tcommand\n   0\t/bin/cat\n/bin/cat foo y x\nalias x='echo hi'\nalias y='z'\n"
		]
	],
	'listed completions': [
		[
			"complete -j -P % fg bg; complete -W 'a b' zz cc; complete -p; complete -r zz; exec 2>&1; complete -r nothere; complete",
			"complete -W 'a b' cc\ncomplete -j -P '%' fg\ncomplete -W 'a b' zz\ncomplete -j -P '%' bg\nbash: line 1: complete: nothere: no completion specification\ncomplete -W 'a b' cc\ncomplete -j -P '%' fg\ncomplete -j -P '%' bg\n"
		]
	],
	'folders at any depth': [
		[
			"shopt -s globstar; mkdir -p w/{a,b}/{a,b}; cd w; for p in '**/a/**' 'a/**' '*/**' '**/' '**/**' 'a/**/**' '**/a/'; do echo $p; done",
			'a a/a a/a a/b b/a\na/ a/a a/b\na a/a a/b b b/a b/b\na/ a/a/ a/b/ b/ b/a/ b/b/\na a/a a/b b b/a b/b\na a/a a/b\na/ a/a/ b/a/\n'
		]
	],
	'indices that are evaluated once': [
		[
			'i=3; ((a[i++]++, a[i++]+=5)); echo $i ${a[@]}; RANDOM=42; ((d[RANDOM%6]++)); RANDOM=42; echo $((d[RANDOM%6]))',
			'5 1 5\n1\n'
		]
	],
	'a place within an argument': [
		[
			'f() { local OPTIND=1 o; while getopts :xyz o; do echo $o; if [[ $o = y ]]; then f -z; fi; done; }; f -xyz',
			'x\ny\nz\nz\n'
		]
	],
	'places of commands': [
		[
			'hash -p /tmp/foo foo; type -p foo; type foo; type -t foo; hash',
			'/tmp/foo\nfoo is hashed (/tmp/foo)\nfile\nhits\tcommand\n   3\t/tmp/foo\n'
		]
	],
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
	'empty texts beside a list': [
		[
			'n() { echo $#; }; set --; unset x; y=; n "$x$@"; n "$y$@"; n "$(true)$@"; n "$y""$@"; n "${@-}"; n "${*-}$@"; n "${x:-"$@"}"; set -- ""; n "$x$@"',
			'0\n0\n0\n1\n1\n0\n1\n1\n'
		]
	],
	'wildcards and dots': [
		[
			"mkdir d; cd d; shopt -s extglob; shopt -u globskipdots; touch .foo bar .a; for p in '@(.foo|*)' '!(bar).foo' '*(bar).foo' '@(?|.?)' '[.]a'; do echo $p; done; shopt -s dotglob; for p in '!(.foo)' '@(.*)' '? .*' '@(*)'; do echo $p; done",
			'.foo bar\n!(bar).foo\n.foo\n.. .a\n[.]a\n.a bar\n. .. .a .foo\n? . .. .a .foo\n.a .foo bar\n'
		],
		[
			"shopt -s extglob\ncase abef in ab**(e|f)) echo yes;; esac; case '*(a|b[)' in *(a|b[)) echo yes;; esac; case foo in *(a|b[)|f*) echo yes;; esac",
			'yes\nyes\nyes\n'
		]
	],
	'random numbers': [
		[
			'RANDOM=42; a=$RANDOM; RANDOM=42; [[ $a == "$RANDOM" ]] && echo same; RANDOM=42; echo $RANDOM $RANDOM',
			'same\n17772 26794\n'
		]
	],
	'large ranges': [
		[
			'echo {9223372036854775805..9223372036854775807} {10..1..-4} {-05..5..5}',
			'9223372036854775805 9223372036854775806 9223372036854775807 10 6 2 -05 000 005\n'
		]
	],
	'quotes with escapes in operands': [
		[
			"recho() { printf '<%s>' \"$@\"; }; recho \"${x:-$'a\\tb'}\" \"${x-'a'}\"; cat <<E\n${x:-$'a'}\nE\nx1=not x=notOK; echo \"${x#${$'x1'%$'t'}}\"",
			"<a\tb><'a'>$'a'\ntOK\n"
		]
	],
	'time formats': [
		[
			'{ TIMEFORMAT="%0R %1U %lS %%"; time true; TIMEFORMAT=; time true; time -p true; } 2>&1 | sed "s/[0-9]/0/g"',
			'0 0.0 0m0.000s %\nreal 0.00\nuser 0.00\nsys 0.00\n'
		],
		['f() { time ; ! ; }; declare -f f', 'f () \n{ \n    time ;\n    ! \n}\n']
	],
	'values that last behind a special builtin': [
		['set -o posix; f() { var=20 return 5; }; var=0; var=30 f; echo $? $var', '5 20\n']
	],
	errors: [
		['echo $((1/0)); echo same line\necho next', 'next\n'],
		['readonly r=1; r=2; echo same line\necho next', 'next\n'],
		['eval "echo \\$((1/0))"; echo $?', '1\n'],
		['echo ${x y}; echo same line\necho next', 'next\n']
	],
	'attributes of a default value': [['declare -i n; echo ${n:=4+3}; declare -u u; echo ${u:=foo}', '7\nFOO\n']],
	'lines of traces': [
		['{ (set -x; case x in y) ;; esac; trap ": t" EXIT); } 2>&1', "+ case x in\n+ trap ': t' EXIT\n++ : t\n"]
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
