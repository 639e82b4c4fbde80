import { testFacts } from './bash-facts.ts';

testFacts({
	'options that builtins do not have': [
		[
			'{ alias -x a=b; unalias -x a; unset -x f; exec -i sh; hash -v; umask -i; . -i f; command -i x; eval -i x; trap -s; cd -x; pwd -x; times -x; type -q; read -p; printf -v; printf -x; builtin -x; wait -x; jobs -q; echo $?; } 2>.e; cat .e',
			'2\nbash: line 1: alias: -x: invalid option\nalias: usage: alias [-p] [name[=value] ... ]\nbash: line 1: unalias: -x: invalid option\nunalias: usage: unalias [-a] name [name ...]\nbash: line 1: unset: -x: invalid option\nunset: usage: unset [-f] [-v] [-n] [name ...]\nbash: line 1: exec: -i: invalid option\nexec: usage: exec [-cl] [-a name] [command [argument ...]] [redirection ...]\nbash: line 1: hash: -v: invalid option\nhash: usage: hash [-lr] [-p pathname] [-dt] [name ...]\nbash: line 1: umask: -i: invalid option\numask: usage: umask [-p] [-S] [mode]\nbash: line 1: .: -i: invalid option\n.: usage: . filename [arguments]\nbash: line 1: command: -i: invalid option\ncommand: usage: command [-pVv] command [arg ...]\nbash: line 1: eval: -i: invalid option\neval: usage: eval [arg ...]\nbash: line 1: trap: -s: invalid option\ntrap: usage: trap [-lp] [[arg] signal_spec ...]\nbash: line 1: cd: -x: invalid option\ncd: usage: cd [-L|[-P [-e]] [-@]] [dir]\nbash: line 1: pwd: -x: invalid option\npwd: usage: pwd [-LP]\nbash: line 1: times: -x: invalid option\ntimes: usage: times\nbash: line 1: type: -q: invalid option\ntype: usage: type [-afptP] name [name ...]\nbash: line 1: read: -p: option requires an argument\nread: usage: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]\nbash: line 1: printf: -v: option requires an argument\nprintf: usage: printf [-v var] format [arguments]\nbash: line 1: printf: -x: invalid option\nprintf: usage: printf [-v var] format [arguments]\nbash: line 1: builtin: -x: invalid option\nbuiltin: usage: builtin [shell-builtin [arg ...]]\nbash: line 1: wait: -x: invalid option\nwait: usage: wait [-fn] [-p var] [id ...]\nbash: line 1: jobs: -q: invalid option\njobs: usage: jobs [-lnprs] [jobspec ...] or jobs -x command [args]\n'
		],
		[
			'{ builtin cd -x; builtin read 1x; echo $?; } 2>.e; cat .e',
			"1\nbash: line 1: cd: -x: invalid option\ncd: usage: cd [-L|[-P [-e]] [-@]] [dir]\nbash: line 1: read: `1x': not a valid identifier\n"
		]
	],
	'arguments that builtins do not take': [
		[
			'{ unset -f -v x; echo $?; shift x; echo $?; shift -2; echo $?; shopt -s shift_verbose; shift 5; echo $?; let; echo $?; local; echo $?; logout; echo $?; set +h; hash ls; echo $?; } 2>.e; cat .e',
			"1\n1\n1\n1\n1\n1\n1\n1\nbash: line 1: unset: cannot simultaneously unset a function and a variable\nbash: line 1: shift: x: numeric argument required\nbash: line 1: shift: -2: shift count out of range\nbash: line 1: shift: 5: shift count out of range\nbash: line 1: let: expression expected\nbash: line 1: local: can only be used in a function\nbash: line 1: logout: not login shell: use `exit'\nbash: line 1: hash: hashing disabled\n"
		],
		[
			'{ umask 09; umask u:r; umask u=r:g=r; umask q=r; umask 22x; echo $?; umask u=rwx,g=; umask -S; umask -pS; umask 22; umask a=rx,u+w; umask; } 2>.e; cat .e',
			"1\nu=rwx,g=,o=rx\numask -S u=rwx,g=,o=rx\n0022\nbash: line 1: umask: 09: octal number out of range\nbash: line 1: umask: `:': invalid symbolic mode operator\nbash: line 1: umask: `:': invalid symbolic mode character\nbash: line 1: umask: `q': invalid symbolic mode operator\nbash: line 1: umask: 22x: octal number out of range\n"
		],
		[
			"{ set -q; set -o nope; shopt -su checkhash; shopt nope; trap -p NOSIG; trap - NOSIG; kill -s; kill -S; kill -INT ''; kill -INT; kill %3; kill abc; bg; fg; jobs %3; disown %3; disown; echo $?; } 2>.e; cat .e",
			"1\nbash: line 1: set: -q: invalid option\nset: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]\nbash: line 1: set: nope: invalid option name\nbash: line 1: shopt: cannot set and unset shell options simultaneously\nbash: line 1: shopt: nope: invalid shell option name\nbash: line 1: trap: NOSIG: invalid signal specification\nbash: line 1: trap: NOSIG: invalid signal specification\nbash: line 1: kill: -s: option requires an argument\nbash: line 1: kill: S: invalid signal specification\nbash: line 1: kill: `': not a pid or valid job spec\nkill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\nbash: line 1: kill: %3: no such job\nbash: line 1: kill: abc: arguments must be process or job IDs\nbash: line 1: bg: no job control\nbash: line 1: fg: no job control\nbash: line 1: jobs: %3: no such job\nbash: line 1: disown: %3: no such job\nbash: line 1: disown: current: no such job\n"
		],
		[
			'{ read -t x; read -u x; read -u 77; mapfile 1x; mapfile -n x; mapfile -u 77; unalias; getopts; .; . none.sh; . /; readonly -x y; } 2>.e; cat .e',
			"bash: line 1: read: x: invalid timeout specification\nbash: line 1: read: x: invalid file descriptor specification\nbash: line 1: read: 77: invalid file descriptor: Bad file descriptor\nbash: line 1: mapfile: `1x': not a valid identifier\nbash: line 1: mapfile: x: invalid line count\nbash: line 1: mapfile: 77: invalid file descriptor: Bad file descriptor\nunalias: usage: unalias [-a] name [name ...]\ngetopts: usage: getopts optstring name [arg ...]\nbash: line 1: .: filename argument required\n.: usage: . filename [arguments]\nbash: line 1: none.sh: No such file or directory\nbash: line 1: .: /: is a directory\nbash: line 1: readonly: -x: invalid option\nreadonly: usage: readonly [-aAf] [name[=value] ...] or readonly -p\n"
		],
		[
			"echo 'caller foo; caller -x; f() { caller 0; caller x; echo $?; }; f' > s; . ./s 2>.e; cat .e",
			'1 source ./s\n2\n./s: line 1: caller: foo: invalid number\ncaller: usage: caller [expr]\n./s: line 1: caller: -x: invalid option\ncaller: usage: caller [expr]\n./s: line 1: caller: x: invalid number\ncaller: usage: caller [expr]\n'
		]
	],
	'functions that cannot be changed': [
		[
			"exec 2>.e; f() { :; }\nreadonly -f f\nf() {\necho no\n}\ndeclare -f +r f; unset -f f; declare -f -a f; declare -f g='() { :; }'; export -f none; export -f g=h; readonly -n x; x=1; declare -p x; cat .e",
			'declare -- x="1"\nbash: line 5: f: readonly function\nbash: line 6: declare: f: readonly function\nbash: line 6: unset: f: cannot unset: readonly function\nbash: line 6: declare: -a: invalid option\nbash: line 6: declare: cannot use `-f\' to make functions\nbash: line 6: export: none: not a function\nbash: line 6: export: g=h: not a function\n'
		]
	],
	'builtins that are turned off': [
		[
			"{ enable nope; echo $?; enable -n test; type -t test; enable -n; enable test; type -t test; enable -n; enable | grep -c .; enable -s | grep -c export; } 2>.e | sed 's/^[0-9][0-9]$/many/'; cat .e",
			'1\nfile\nenable -n test\nbuiltin\nmany\n1\nbash: line 1: enable: nope: not a shell builtin\n'
		]
	],
	'ends of POSIX shells': [
		[
			'{ (set -o posix; return; echo no); echo $?; (set -o posix; set -o nope; echo no); echo $?; (set -o posix; command return; echo yes); (set -o posix; exec 9<none || echo no); echo $?; (exec 9<none || echo yes); (set -o posix; : < none; echo no); echo $?; (set -o posix; function a.b { :; }; echo no); echo $?; (readonly x; set -o posix; x=1 :; echo no); echo $?; } 2>.e; cat .e',
			"2\n2\nyes\n1\nyes\n1\n2\n1\nbash: line 1: return: can only `return' from a function or sourced script\nbash: line 1: set: nope: invalid option name\nbash: line 1: return: can only `return' from a function or sourced script\nbash: line 1: none: No such file or directory\nbash: line 1: none: No such file or directory\nbash: line 1: none: No such file or directory\nbash: line 1: `a.b': not a valid identifier\nbash: line 1: x: readonly variable\n"
		],
		[
			"set -o posix; { readonly -a e=(1); readonly | grep -E ' (e|UID)' | sed 's/UID.*//'; export z=2; export | grep ' z='; alias a=b; alias; alias -p; } 2>.e; cat .e",
			'readonly \nreadonly -a e=([0]="1")\nexport z="2"\na=\'b\'\nalias a=\'b\'\n'
		]
	],
	'waiting with a name': [
		[
			'sleep 0.3 & a=$!; (exit 4) & b=$!; wait -p who -n; echo $? $((who == b)); wait -p who $a; echo $? $((who == a)); who=x; wait -p who; echo ${who-unset};',
			'4 1\n0 1\nunset\n'
		]
	],
	'indirections to nothing': [['{ echo "${!none-x}"; echo no; } 2>.e; cat .e', '']],
	'quotes in operands': [
		[
			'a=(abc d); eval b=("${a[@]/#/\\"-i \\\'\\"}"); echo ${#b[@]} "${b[@]}"; let c=(4 * 3)/2 d=(1 + 1); echo $c $d; declare -i e=(4*3)/2; e+=(1+1)*2; echo $e; echo "${x-\'"\'hey}" "${x-\'"hey\'}" "${x-\'a}b\'}" "${x-\\\'}" "${x-"\\\'"}"',
			"2 -i 'abc -i 'd\n6 2\n10\n''hey 'hey' 'a}b' \\' '\n"
		],
		[
			'set -- a \'b c\'; echo "${@@k}" "${*@K}"; { (set -u; echo ${#n[4]}); (set -u; n=(1); echo ${#n[4]} $((n[4]))); (set -u; echo $((m[4]))); (set -u; echo ${#n[@]}); } 2>.e; cat .e',
			"'a' 'b c' 'a' 'b c'\n0 0\nbash: line 1: n: unbound variable\nbash: line 1: m: unbound variable\nbash: line 1: n: unbound variable\n"
		]
	],
	'keys that are expanded once': [
		[
			'shopt -s assoc_expand_once; declare -A a; k="x\'y"; { printf -v a[$k] 1; read "a[z\']" <<< 2; let "a[\\" \\"]=3" ; declare a["q\'"]=4; unset a[z]; declare -p a; [[ -v a[$k] ]]; echo $?; unset "a[x\'y]"; declare -p a; } 2>.e; cat .e',
			'declare -A a=(["q\'"]="4" ["z\'"]="2" ["\\" \\""]="3" ["x\'y"]="1" )\n0\ndeclare -A a=(["q\'"]="4" ["z\'"]="2" ["\\" \\""]="3" )\n'
		]
	],
	'arrays from texts': [
		[
			"{ declare -a e[10]='(test)'; declare -p e; declare a[1]='(v)'; declare -p a; x=(1 2 3); BASH_COMPAT=51; unset 'x[@]'; declare -p x; } 2>.e; cat .e",
			'declare -a e=([0]="test")\ndeclare -a a=([1]="(v)")\nbash: line 1: warning: a[1]=(v): quoted compound array assignment deprecated\nbash: line 1: declare: x: not found\n'
		]
	]
});
