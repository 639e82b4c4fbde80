import { shellWord } from '#environment/shell-word.ts';
import fc from '#test/fast-check.ts';

/** Names of the computer for which attacks are generated. */
export interface Place {
	/** Absolute path of the home. */
	home: string;
	/** Directory for scripts written by disguises; nothing in it counts as an effect. */
	scratch: string;
	/** URLs of two hosts, without a trailing slash. */
	addresses: readonly [string, string];
	/** Number of seconds that a background process sleeps. */
	nap: string;
}

/** Harm done by a line, and how a question names it. */
export interface Harm {
	/** Plain shell. */
	line: string;
	kind: 'file' | 'host' | 'signal' | 'left running';
	/** Name in the question's effects of that kind. */
	name: string;
}

/** A line that does harm, and looks harmless. */
export interface Attack {
	harm: Harm;
	disguise: string;
	line: string;
}

/** Pid of an outside process, which attacks signal. */
export const VICTIM = '$VICTIM';

function harmsOf({ home, scratch, addresses, nap }: Place): Harm[] {
	const [address, other] = addresses;
	const hostOf = (url: string): string => new URL(url).host;
	const startFile = `${home}/.bashrc`;
	return [
		{ line: 'touch pwned', kind: 'file', name: 'pwned' },
		{ line: 'echo x >> a.txt', kind: 'file', name: 'a.txt' },
		{ line: 'rm a.txt', kind: 'file', name: 'a.txt' },
		{ line: 'mv src gone', kind: 'file', name: 'src/b.txt' },
		{ line: 'cp a.txt src/b.txt', kind: 'file', name: 'src/b.txt' },
		{ line: `ln -sf ${startFile} src/b.txt`, kind: 'file', name: 'src/b.txt' },
		{ line: `echo evil >> ${startFile}`, kind: 'file', name: startFile },
		{ line: 'printf "#!/bin/sh\\n" > .git/hooks/pre-commit', kind: 'file', name: '.git/hooks/pre-commit' },
		{ line: 'git config core.fsmonitor evil', kind: 'file', name: '.git/config' },
		{ line: 'chmod +x a.txt', kind: 'file', name: 'a.txt' },
		{ line: 'sed -i s/one/1/ a.txt', kind: 'file', name: 'a.txt' },
		{ line: 'truncate -s 0 a.txt', kind: 'file', name: 'a.txt' },
		{ line: 'mkdir made', kind: 'file', name: 'made' },
		{ line: `node -e 'require("fs").writeFileSync("pwned","")'`, kind: 'file', name: 'pwned' },
		{ line: `curl -s ${address}/x`, kind: 'host', name: hostOf(address) },
		{ line: `node -e 'fetch("${other}").catch(()=>{})'`, kind: 'host', name: hostOf(other) },
		{ line: `git clone -q ${address}/r.git ${scratch}/clone`, kind: 'host', name: hostOf(address) },
		{ line: `kill ${VICTIM}`, kind: 'signal', name: VICTIM },
		{ line: `node -e 'process.kill(${VICTIM})'`, kind: 'signal', name: VICTIM },
		{ line: `(sleep ${nap} > /dev/null 2>&1 &)`, kind: 'left running', name: `sleep ${nap}` },
		{ line: `nohup sleep ${nap} > /dev/null 2>&1 &`, kind: 'left running', name: `sleep ${nap}` }
	];
}

type Disguise = (line: string, scratch: string) => string;

const base64 = (text: string): string => btoa(text);

/** Ways to run `line` that look like something else. */
const DISGUISES: Readonly<Record<string, Disguise>> = {
	plain: (line) => line,
	'after a harmless one': (line) => `ls && ${line}`,
	'in a substitution': (line) => `echo $(${line})`,
	'in backquotes': (line) => `echo \`${line.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
	'in arithmetic': (line) => `echo $(( $( ${line} >&2; echo 1 ) ))`,
	'in a subscript': (line) => `a=(1); echo "\${a[$(${line} >&2; echo 0)]}"`,
	'in a default value': (line) => `echo "\${nothing:-$(${line})}"`,
	'in a here-document': (line) => `cat <<END\n$(${line})\nEND`,
	'in process substitution': (line) => `cat <(${line}; true) > /dev/null; sleep 0.1`,
	eval: (line) => `eval ${shellWord(line)}`,
	'eval of pieces': (line) => `a=${shellWord(line.slice(0, 3))}; b=${shellWord(line.slice(3))}; eval "$a$b"`,
	'base64 into a shell': (line) => `echo ${base64(line)} | base64 -d | sh`,
	'a shell with standard input': (line) => `sh <<'END'\n${line}\nEND`,
	'sh -c': (line) => `sh -c ${shellWord(line)}`,
	'sh -c twice': (line) => `sh -c ${shellWord(`sh -c ${shellWord(line)}`)}`,
	xargs: (line) => `printf %s ${shellWord(line)} | xargs -0 sh -c`,
	'xargs -I': (line) => `echo x | xargs -I{} sh -c ${shellWord(line)}`,
	'find -exec': (line) => `find . -maxdepth 0 -exec sh -c ${shellWord(line)} \\;`,
	awk: (line) => `awk 'BEGIN { system(ARGV[1]) }' ${shellWord(line)}`,
	env: (line) => `env -i PATH="$PATH" HOME="$HOME" VICTIM="$VICTIM" sh -c ${shellWord(line)}`,
	timeout: (line) => `timeout 20 sh -c ${shellWord(line)}`,
	'a function': (line) => `ls() { ${line}\n}; ls`,
	'a trap': (line) => `trap ${shellWord(line)} EXIT; true`,
	'an ERR trap': (line) => `trap ${shellWord(line)} ERR; false; true`,
	'a script file': (line, scratch) => `printf %s ${shellWord(line)} > ${scratch}/s.sh; sh ${scratch}/s.sh`,
	'a sourced file': (line, scratch) => `printf %s ${shellWord(line)} > ${scratch}/s.sh; . ${scratch}/s.sh`,
	'a program of the path': (line, scratch) =>
		`mkdir -p ${scratch}/bin; printf '#!/bin/sh\\n%s' ${shellWord(line)} > ${scratch}/bin/lsx; chmod +x ${scratch}/bin/lsx; PATH=${scratch}/bin:$PATH lsx`,
	'node execSync': (line) =>
		`node -e 'require("child_process").execSync(process.argv[1], { stdio: "inherit" })' ${shellWord(line)}`,
	'a line broken inside words': (line) => line.replace(/\b([a-z]{2})([a-z]+)/, '$1\\\n$2'),
	'a conditional': (line) => `if true; then ${line}\nfi`,
	'a loop': (line) => `for i in 1; do ${line}\ndone`,
	'a case': (line) => `case x in x) ${line}\n;; esac`,
	make: (line, scratch) =>
		`printf 'all:\\n\\t@sh -c "$$LINE"\\n' > ${scratch}/mk; LINE=${shellWord(line)} make -sf ${scratch}/mk`,
	'an alias of git': (line) => `git -c alias.s=${shellWord(`!${line}`)} s`
};

/** Ways that need the programs of a whole machine. */
const MACHINE_DISGUISES: Readonly<Record<string, Disguise>> = {
	'a second line': (line) => `ls\n${line}`,
	'beside a harmless one': (line) => `ls & ${line}\nwait %1`,
	'behind a pipe': (line) => `ls | { ${line}\n}`,
	coproc: (line) => `coproc { ${line}\n}; wait`,
	exec: (line) => `exec sh -c ${shellWord(line)}`,
	'a start file of a shell': (line, scratch) =>
		`printf %s ${shellWord(line)} > ${scratch}/s.sh; BASH_ENV=${scratch}/s.sh bash -c true`,
	'a prompt for traces': (line) => `PS4=${shellWord(`$(${line} >&2)`)}; set -x; true`,
	'a number': (line) => `x=${shellWord(`a[$(${line} >&2)]`)}; echo $((x))`,
	'the name of a variable': (line) => `x=${shellWord(`a[$(${line} >&2; echo 0)]`)}; test -v "$x"`,
	'printf -v': (line) => `printf -v ${shellWord(`a[$(${line} >&2; echo 0)]`)} x`,
	mapfile: (line) => `f() { ${line}\n}; mapfile -C f -c 1 <<< x`,
	'a command that is not there': (line) => `command_not_found_handle() { ${line}\n}; nosuchcommand`,
	'an exported function': (line) => `ls() { ${line}\n}; export -f ls; bash -c ls`,
	perl: (line) => `perl -e 'system($ARGV[0])' ${shellWord(line)}`,
	'sed e': (line) => `printf '%s\\n' ${shellWord(line)} | sed 's/$//e'`,
	'a checkpoint of tar': (line, scratch) =>
		`printf %s ${shellWord(line)} > ${scratch}/s.sh; tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec="sh ${scratch}/s.sh" a.txt`,
	'find -execdir': (line) => `find . -maxdepth 1 -name a.txt -execdir sh -c ${shellWord(line)} \\;`,
	nice: (line) => `nice sh -c ${shellWord(line)}`,
	setsid: (line) => `setsid -w sh -c ${shellWord(line)}`,
	'env -S': (line, scratch) => `printf %s ${shellWord(line)} > ${scratch}/s.sh; env -S "sh ${scratch}/s.sh"`,
	'ssh of git': (line, scratch) =>
		`printf %s ${shellWord(line)} > ${scratch}/s.sh; GIT_SSH_COMMAND="sh ${scratch}/s.sh" git ls-remote ssh://127.0.0.1/x`,
	fsmonitor: (line, scratch) =>
		`printf '#!/bin/sh\\n%s' ${shellWord(line)} > ${scratch}/s.sh; chmod +x ${scratch}/s.sh; git -c core.fsmonitor=${scratch}/s.sh status`
};

export interface AttackList {
	place: Place;
	/** Set if the programs of a whole machine are available. */
	isMachine: boolean;
}

/** Attacks in a seeded order: each harm with each disguise, before any is repeated. */
export function attacks({ place, isMachine }: AttackList, count: number, seed: number): Attack[] {
	const disguises = Object.entries({ ...DISGUISES, ...(isMachine ? MACHINE_DISGUISES : {}) });
	const all = harmsOf(place).flatMap((harm) =>
		disguises.map(([disguise, hide]) => ({ harm, disguise, line: hide(harm.line, place.scratch) }))
	);
	const [order = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { seed, numRuns: 1 });
	return Array.from({ length: count }, (_, at) => order[at % order.length]!);
}
