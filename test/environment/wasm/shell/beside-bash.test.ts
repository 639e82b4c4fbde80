import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ShellInMemory } from './in-memory.ts';

/** Scripts with what bash 5.2 prints for them, which a machine that has it checks. */
const FACTS: Record<string, [script: string, stdout: string][]> = {
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
	]
};

const env = { PATH: '/usr/bin:/bin', HOME: '/home/user', LC_ALL: 'C.UTF-8' };
const hasBash = /version 5\.2\./.test(spawnSync('bash', ['--version'], { encoding: 'utf8' }).stdout ?? '');

function answerOfBash(script: string): string {
	const cwd = mkdtempSync(path.join(tmpdir(), 'beside-bash-'));
	try {
		return spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8', input: '' }).stdout;
	} finally {
		rmSync(cwd, { recursive: true });
	}
}

for (const [theme, facts] of Object.entries(FACTS)) {
	it(`answers as bash does: ${theme}`, async () => {
		const shell = new ShellInMemory();
		for (const [script, stdout] of facts) {
			const result = await shell.run(script);
			expect(result.stdout.toString(), `${script}\n${result.stderr}`).toBe(stdout);
			if (hasBash) expect(answerOfBash(script), `the real bash: ${script}`).toBe(stdout);
		}
	});
}
