import { testFacts } from './bash-facts.ts';

testFacts({
	arrays: [
		['i=1; a=([100+i++]=$((i++)) [200+i++]=$((i++))); declare -p a', 'declare -a a=([103]="1" [204]="2")\n'],
		[
			'a=([0]=1+2+3 [a[0]]=10 [a[6]]=x); declare -p a; b=([k]=-{x,y}-); declare -p b',
			'declare -a a=([0]="1+2+3" [6]="10" [10]="x")\ndeclare -a b=([0]="[k]=-x-" [1]="[k]=-y-")\n'
		],
		[
			'declare -A m=([x]=1); m=([x]+=2); m+=([x]+=3 [y]+=4 [y]+=5); echo ${m[x]} ${m[y]}; m=([h]=~:~); echo ${m[h]}',
			'123 45\n~:~\n'
		],
		['a=(1 2); a[]=5; echo same line\necho $? ${a[@]}', '1 1 2\n'],
		["(a['2']=3; echo same line\necho next line); echo $?", '1\n'],
		['a[1 + 1]=3; declare a[ 1 ]=4; declare a["2"]=5; declare -p a', 'declare -a a=([2]="5")\n'],
		['a=( inside=() ); echo same line\necho $? ${#a[@]}', '1 0\n'],
		[
			'declare u; unset -v "u[1]"; echo $?; unset "u[k]"; echo $?; unset %; echo $?; unset -v %; echo $?',
			'1\n0\n0\n1\n'
		]
	],
	'the end of a POSIX shell whose arithmetic fails': [
		['trap "echo ended" EXIT; set -o posix\necho $(( x+ ))\necho after', 'ended\n'],
		['trap "echo ended" EXIT; echo $(( x+ ))\necho after', 'after\nended\n'],
		['export POSIXLY_CORRECT=1; echo $POSIXLY_CORRECT; set -o | grep posix', '1\nposix          \ton\n']
	],
	'the status in a branch': [
		['if (exit 5); then :; else echo $?; fi; if (exit 5); then :; elif (exit 6); then :; else echo $?; fi', '5\n6\n'],
		[
			'false; case x in x) echo $?;; esac; false; case $(exit 3) in *) echo $?;; esac; false; case x in x) ;; esac; echo $?',
			'1\n3\n0\n'
		],
		['if true; then (exit 4); fi; echo $?; if false; then :; fi; echo $?', '4\n0\n']
	],
	references: [
		['declare -n p=q; declare -n q=p; p=z; echo same line\necho $?', '1\n'],
		[
			'declare -n r="a[@]"; r=(1 2); echo same line\necho $? ${#a[@]}; declare -n e="b[0]"; e[0]=4\necho $? ${#b[@]}',
			'1 0\n1 0\n'
		]
	],
	indirection: [
		['declare -A m=([k]=v); echo "<${!m}>" "<${!m@a}>"; echo "${!none}"; echo same line', '<> <>\n'],
		[
			'a=(""); r="a[@]"; echo "<${!r:-c}>" "<${!r:+p}>"; r="a[0]"; echo "<${!r:-c}>"; r=\'a[0"]\'; echo "${!r}"; echo same line',
			'<> <p>\n<c>\n'
		],
		[
			'IFS=; a=(x y); printf "<%s>" ${!a[*]} ${!a[@]}; va=1 vb=2; printf "<%s>" ${!va*} ${!v*}',
			'<0 1><0><1><va><vavb>'
		],
		['echo ${!#x}; echo same line', '']
	],
	operations: [
		['a=(aa bb ""); printf "<%s>" "${a[@]/#/p-}" "${a[@]/%/-s}" ${a[0]////x}', '<p-aa><p-bb><p-><aa-s><bb-s><-s><aa>'],
		[
			'p() { echo $#; }; p "${@:+x}"; set -- ""; p "${@:+x}"; p "${*:+x}"; set -- "" ""; IFS=; echo ${*:-m}; echo ${*:+p}; echo "${*:-m}"',
			'0\n1\n1\n\np\nm\n'
		],
		['HOME=/h; x=~:${undefined-~:~}; echo $x; [[ "^a$" =~ ~ ]]; HOME="^a$"; [[ $HOME =~ ~ ]]; echo $?', '/h:/h:/h\n0\n']
	],
	braces: [
		['a=A; echo {$a,b}_{c,d} x{_$a,b}_c; HOME=/h; echo ~{/x,root}', 'b_c b_d x_ xb_c\n/h/x /root\n'],
		[
			'echo {Y..b..3}; echo {z..A}; echo {Z..a}-; echo same line',
			'Y  _ b\nz y x w v u t s r q p o n m l k j i h g f e d c b a ` _ ^ ]  [ Z Y X W V U T S R Q P O N M L K J I H G F E D C B A\n'
		]
	],
	parsing: [
		['f/g() { echo in $1; }; f/g 2', 'in 2\n'],
		['[[ -f == ]]; echo $?; [[ -n == && x ]]; echo $?; shopt -s extglob\n[[ !(x) ]]; echo $?', '1\n0\n0\n'],
		['for ((i = $"3"; i < "5"; ++i)); do echo $i; done; (echo $((02#01))); echo $?', '3\n4\n1\n'],
		['(echo $(if true); echo same line\necho next line); echo here', ''],
		[
			"shopt -s expand_aliases; alias L1='for ' L2='L1 ' v1='i ' v2='v1 ' words='1 \"2\" ' into='in '\nL2 v2 into words 3; do echo $i; done",
			'1\n2\n3\n'
		]
	],
	utilities: [
		[
			'printf "\\0a\\n\\377" | od -A n -t c -t x1; printf "hello world, and more of it" | od -tx1z -c; printf abcd | od -A x -t x2 -t u4',
			'  \\0   a  \\n 377\n  00  61  0a  ff\n0000000  68  65  6c  6c  6f  20  77  6f  72  6c  64  2c  20  61  6e  64  >hello world, and<\n          h   e   l   l   o       w   o   r   l   d   ,       a   n   d\n0000020  20  6d  6f  72  65  20  6f  66  20  69  74                      > more of it<\n              m   o   r   e       o   f       i   t\n0000033\n000000  6261 6463\n       1684234849\n000004\n'
		]
	],
	commands: [
		[
			'hash; : | cat; hash ls; hash -t ls; hash -l; hash -p /bin/cat foo; hash -d ls; hash; hash -r; hash; hash none; echo $?',
			'hash: hash table empty\n/usr/bin/ls\nbuiltin hash -p /usr/bin/ls ls\nhits\tcommand\n   0\t/bin/cat\nhash: hash table empty\n1\n'
		],
		[
			"mkdir one two; PATH=$PWD/one:$PWD/two:$PATH; echo 'echo two' > two/c; chmod +x two/c; c; echo 'echo one' > one/c; chmod +x one/c; c; rm two/c; c; echo $?; hash -r; c",
			'two\ntwo\n127\none\n'
		],
		['PATH=/bin; type -a ls; type -p ls; command -v ls', 'ls is /bin/ls\n/bin/ls\n/bin/ls\n'],
		[
			'mkdir d; PATH=$PWD/d:$PATH; : > d/nx; type -t nx; type -a nx; echo $?; type -ap cd; echo $?; type -ap none; echo $?',
			'file\n1\n0\n1\n'
		],
		[
			"printf 'echo ${x-unset} ${y-unset}; f; x=2' > s; chmod +x s; x=1; export y=3; f() { echo f; }; ./s; x=4 ./s; echo $x",
			'unset 3\n4 3\n1\n'
		],
		[
			': foo; echo "[$_]"; s=bar; echo "[$_]"; declare s=bar; echo "[$_]"; a=(1); echo "[$_]"; declare a=(1); echo "[$_]"',
			'[foo]\n[]\n[s=bar]\n[]\n[a]\n'
		],
		[
			'f() { local z=1; local; local -p z s; }; f; UID=6 true; (UID=7; echo same line); echo $?',
			'declare -- z="1"\ndeclare -- z="1"\n1\n'
		],
		[
			'(exit 7 8; echo same line); echo $?; (ulimit -n 0; echo x > out); echo $?; ulimit -f 4611686018427387905; echo $?',
			'1\n1\n1\n'
		],
		["./$(printf '%0300d' 1); echo $?; (cat < /dev/zero; echo $? >&7) 7>&1 | true", '126\n'],
		[
			'set -- -c foo -h; getopts hc: opt-; echo $? $opt $OPTARG $OPTIND; mkdir d; mapfile x < d; echo $?',
			'1 foo 3\n0\n'
		]
	],
	failures: [
		[
			'trap "echo err $LINENO" ERR\n\nfalse | false\n{ :\n false; true\n} > /none/x\nwhile read x; do :; done < none\n! { false; }\n(false)',
			'err 1\nerr 1\nerr 1\nerr 1\nerr 1\n'
		],
		['set -E; trap "echo err" ERR; false & wait; { false; echo end; } & wait', 'err\nend\n'],
		[
			'(set -e; { :; } < none; echo no); echo $?; (g() { set -e; false; echo no; }; ! g; echo no); echo $?; (set -e; if { :; } < none; then :; fi; ! { :; } < none; echo end)',
			'1\n1\nend\n'
		]
	],
	posix: [
		[
			'set -o posix; a=1 :; printenv a; a=2 eval true; printenv a; f() { :; }; z=1 f; echo ${z-no}; z=2 command :; echo ${z-no}; b=3 readonly c; printenv b',
			'1\n2\nno\nno\n3\n'
		],
		[
			'eval() { echo f; }; eval "echo e"; set -o posix; eval "echo e"; (export() { :; }; echo no); echo $?; type -t eval',
			'f\ne\n2\nfunction\n'
		],
		[
			'set -o posix; f() { x=42; x=tmp unset x; echo $x; x=tmp eval "unset x"; echo $x; local y=1; y=5 :; echo $y; }; f; z=9 eval "z=10"; echo $z',
			'42\n42\n5\n10\n'
		],
		['set -o posix; readonly x=1; x=2 true\necho $?\nx=3\necho next line', '1\n']
	],
	jobs: [
		[
			'(sleep 0.1; exit 5) & wait -n; echo $?; wait -n; echo $?; (sleep 0.1; echo x) & wait -n $!; echo $?; wait -n $! bad; echo $?',
			'5\n127\nx\n0\n127\n'
		],
		[
			'{ sleep 0.1; exit 9; } & wait %1; echo $?; wait %%; echo $?; (exit 4) & p=$!; sleep 0.2; wait %1; echo $?; wait $p; echo $?; wait 999999; echo $?',
			'9\n127\n127\n4\n127\n'
		]
	],
	words: [
		[
			"printf '%q\\n' $'\\xce\\xbc' $'\\xce\\xce\\xbc' $'a\\xce'; printf '[%#.0f] [%#g] [%#.0e]\\n' 3 3 3; printf '%(%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y)T|' 0",
			"μ\n$'\\316μ'\n$'a\\316'\n[3.] [3.00000] [3.e+00]\n|"
		],
		["for p in '$' '\\\\$' '\\\\\\\\$' 'a\\\\b'; do echo \"${p@P}\"; done", '$\n$\n\\$\na\\b\n'],
		[
			'r="a{"; [[ "a{" =~ $r ]]; echo $?; [[ { =~ { ]]; echo $?; [[ "{x" =~ [{]x ]]; echo $?; [[ "a{" =~ ^[^{]+\\{$ ]]; echo $?; r="a{1,2}"; [[ aa =~ $r ]]; echo $?',
			'2\n2\n0\n0\n0\n'
		],
		[
			"case x in [z-a]) echo y;; *) echo n;; esac; x='a-b]c'; p='[z-ao]'; echo ${x//$p/_} ${x//[-]/_} ${x//[a\\-]/_} ${x//[]]/_} ${x//[a-]/_}",
			'n\na-b]c a_b]c __b]c a-b_c __b]c\n'
		],
		[
			"[ -a -a -a -a -a -a ]; echo $?; test 0 -eq 0 -a '(' = ')'; echo $?; [ -z '>' ]; echo $?; [ -z '>' -- ]; echo $?; [ x y ]; echo $?; [ a b c ]; echo $?; [ ! x -a y ]; echo $?; [ '(' = x ]; echo $?; [ a -o ]; echo $?",
			'2\n0\n1\n0\n2\n2\n1\n1\n2\n'
		],
		[
			'printf abc > f; tr a-z A-Z < <(<f); echo; { :; } {n}<<< walrus; cat <&$n; { :; } {m}>g; echo to >&$m; cat g',
			'ABC\nwalrus\nto\n'
		]
	],
	scopes: [
		[
			'u() { unset -v "$1"; }; f() { local v=l; unset v; echo ${v-none}; }; v=g; v=t f; f() { local v=l; u v; echo ${v-none}; }; v=t f; f() { local v; echo $v; u v; echo ${v-none}; }; v=t f; v=t eval f',
			'none\ng\nt\ng\nt\nt\n'
		],
		[
			"u() { unset -v v; }; f() { local v=1; v=t eval 'local v=2; u; echo $v'; v=t eval 'local v=2; unset v; echo ${v-none}'; echo $v; }; v=g; v=t f; echo $v",
			'1\nnone\n1\ng\n'
		],
		[
			'u() { unset -v v; }; f() { local v=1; v=t eval \'local v=2; v=t eval "local v=3; for i in 1 2 3 4; do u; echo \\${v-none}; done"\'; }; v=g; v=t f',
			'2\n1\ng\nnone\n'
		]
	],
	files: [
		[
			': > f; chmod u+s,g+s f; stat -c %A f; test -u f; echo $?; chmod 1777 f; stat -c %A f; test -k f; echo $?; test -g f; echo $?; chmod 4644 f; stat -c "%A %a" f; test -k /tmp; echo $?',
			'-rwSr-Sr--\n0\n-rwxrwxrwt\n0\n1\n-rwSr--r-- 4644\n0\n'
		],
		['for i in 1 2 3 4 5 6 7; do echo $i; done > h; HISTFILE=h; HISTFILESIZE=3; cat h', '5\n6\n7\n'],
		[
			'declare -A a=([x]=1 [y]=2 [z]=3); for o in 0 1 2 3 4 -1 -3 -4 -5; do echo "$o:" ${a[@]: $o} / ${a[@]: $o:2}; done',
			'0: 3 2 1 / 3 2\n1: 3 2 1 / 3 2\n2: 2 1 / 2 1\n3: 1 / 1\n4: /\n-1: 1 / 1\n-3: 3 2 1 / 3 2\n-4: 3 2 1 / 3 2\n-5: /\n'
		]
	]
});
