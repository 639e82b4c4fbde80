import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import { shellWord } from '#environment/shell-word.ts';

/** A rule created by a question, with commands that it covers and commands that still require a question. */
export interface AlwaysAllow {
	title: string;
	/** Step whose question is answered with "always allow". */
	first: Step;
	rule: PermissionRule;
	covers: readonly Step[];
	/** Steps that the rule must not cover. */
	asks: readonly Step[];
	/** Steps that run without a question but are prevented from having their effect. */
	holds?: readonly Step[];
}

/** A command, a background command, or text typed into a running command. */
export type Step = string | { background: string } | { command: string; typed: string };

const inDirectory = (name: string, file = 'f'): string =>
	`mkdir -p -- ${shellWord(name)} && echo 1 > ./${shellWord(`${name}/${file}`)}`;
const toFile = (name: string): string => `echo 1 > ./${shellWord(name)}`;

/** Checks that a rule for a directory of this name covers none of the others. */
function forDirectory(name: string, glob: string, others: readonly string[]): AlwaysAllow {
	return {
		title: `the directory ${name}`,
		first: inDirectory(name),
		rule: { kind: 'path', pattern: glob },
		covers: [
			inDirectory(name, 'g'),
			inDirectory(`${name}/d/e`),
			`node -e 'require("fs").writeFileSync(process.argv[1], "")' ./${shellWord(`${name}/h`)}`
		],
		asks: [
			...others.map((other) => inDirectory(other)),
			toFile('new.txt'),
			inDirectory(name, '../up.txt'),
			`${inDirectory(name, 'i')}; ${toFile('beside.txt')}`,
			`ln -sfn .. ./${shellWord(`${name}/up`)} && echo 1 > ./${shellWord(`${name}/up/through`)}`,
			inDirectory(name, '.npmrc'),
			inDirectory(`${name}/.git/hooks`, 'pre-commit'),
			'echo evil >> ~/.bashrc'
		]
	};
}

function forFile(name: string, glob: string, others: readonly string[]): AlwaysAllow {
	return {
		title: `the file ${name}`,
		first: toFile(name),
		rule: { kind: 'path', pattern: glob },
		covers: [`echo more >> ./${shellWord(name)}`],
		asks: [...others.map(toFile), inDirectory('sub', name), `${toFile(name)}; ${toFile('other.txt')}`, 'rm a.txt']
	};
}

/** @param host host name, with the port unless it is the scheme's default */
function forHost(host: string, others: readonly string[]): AlwaysAllow {
	return {
		title: `the host ${host}`,
		first: `curl -s https://${host}/x`,
		rule: { kind: 'host', pattern: host },
		covers: [`curl -s https://${host}/y`, `node -e 'fetch(process.argv[1]).catch(() => {})' https://${host}/z`],
		asks: [
			...others.map((other) => `curl -s https://${other}/x`),
			`curl -s https://${host}@evil.example/`,
			`curl -s https://${host}/x > got.txt`,
			`curl -s https://evil.example/${host}`
		]
	};
}

const COMMIT = 'git commit -q --allow-empty -m x';
/** Steps that a rule for git's history does not cover, no matter how it was created. */
const BEYOND_HISTORY: readonly Step[] = [
	'git config core.fsmonitor evil',
	'echo x > .git/hooks/pre-commit',
	'echo x > .git/info/attributes',
	'git remote add evil https://evil.example/r.git',
	`${COMMIT} && echo x >> a.txt`,
	'git checkout -q HEAD~1 -- a.txt && echo y > a.txt',
	'git push -q origin HEAD:main',
	'git init -q nested && git -C nested config core.fsmonitor evil',
	'git rm -q a.txt'
];

function forHistory(first: string, covers: readonly string[]): AlwaysAllow {
	return {
		title: `history, by ${first}`,
		first,
		rule: { kind: 'git', pattern: 'history' },
		covers,
		asks: BEYOND_HISTORY
	};
}

function forServer(command: string, others: readonly string[]): AlwaysAllow {
	return {
		title: `commands that keep running, by ${command}`,
		first: { background: command },
		rule: { kind: 'server', pattern: 'background' },
		covers: others.map((background) => ({ background })),
		asks: [
			'echo x > a.txt',
			'sleep 100 > /dev/null 2>&1 &',
			`node -e 'require("http").createServer().listen(5175)' & until curl -s localhost:5175 > /dev/null || [ $? -ne 7 ]; do sleep 0.05; done`
		],
		holds: [
			'echo x > a.txt',
			'echo evil >> ~/.bashrc',
			'echo x > .git/hooks/pre-commit',
			'curl -s https://evil.example/x'
		].map((background) => ({ background }))
	};
}

function forInput(command: string, typed: string, others: readonly (readonly [string, string])[]): AlwaysAllow {
	return {
		title: `typing ${JSON.stringify(typed)} into ${command}`,
		first: { command, typed },
		rule: { kind: 'input', pattern: `${command}\n${typed}` },
		covers: [{ command, typed }],
		asks: [
			...others.map(([other, text]): Step => ({ command: other, typed: text })),
			{ command, typed: `${typed}\nrm -rf .` },
			{ command, typed: '' },
			'echo x > a.txt'
		]
	};
}

export const RULES: readonly AlwaysAllow[] = [
	forDirectory('src', 'src/**', ['srcs', 'Src', 'lib/src']),
	forDirectory('docs', 'docs/**', ['doc', 'docs.d', 'src/docs']),
	forDirectory('*', '\\*/**', ['x', 'ab']),
	forDirectory('**', '\\*\\*/**', ['x', 'x/y']),
	forDirectory('?', '\\?/**', ['x']),
	forDirectory('[ab]', '\\[ab\\]/**', ['a', 'b']),
	forDirectory('{a,b}', '\\{a,b\\}/**', ['a', 'b']),
	forDirectory('!(x)', '\\!\\(x\\)/**', ['y', 'x']),
	forDirectory('@(src)', '\\@\\(src\\)/**', ['src', '@src']),
	forDirectory('+(a)', '\\+\\(a\\)/**', ['a', 'aa']),
	forDirectory('a b', 'a b/**', ['a', 'b', 'a  b']),
	forDirectory('$HOME', '\\$HOME/**', ['HOME', 'home']),
	forDirectory('-rf', '-rf/**', ['rf', '-r']),
	forDirectory('..a', '..a/**', ['a', '.a']),
	forDirectory('\u00e4', '\u00e4/**', ['a\u0308', 'a']),
	forDirectory('a\\*', 'a\\\\\\*/**', ['ab', 'a*']),
	forDirectory("a'b", "a\\'b/**", ['ab', 'a"b']),
	forDirectory('a|b', 'a\\|b/**', ['a', 'b']),
	forDirectory('^a', '\\^a/**', ['b', 'a']),
	forDirectory('.config', '.config/**', ['config', '.configs']),
	forFile('README.md', 'README.md', ['README.mdx', 'readme.md', 'xREADME.md']),
	forFile('*.md', '\\*.md', ['x.md', '.md']),
	forFile('a?', 'a\\?', ['ab', 'a']),
	forFile('[x].ts', '\\[x\\].ts', ['x.ts']),
	forFile('{b,c}.ts', '\\{b,c\\}.ts', ['b.ts', 'c.ts']),
	forFile('!d', '\\!d', ['e', 'd']),
	forFile('Makefile', 'Makefile', ['makefile', 'GNUmakefile', 'Makefile.am']),
	forFile('.env', '.env', ['.env.local', 'env']),
	forFile('a b.txt', 'a b.txt', ['b.txt', 'a  b.txt']),
	{
		title: 'package.json, while its scripts stay as they are',
		first: 'printf \'{"version":"1"}\' > package.json',
		rule: { kind: 'path', pattern: 'package.json' },
		covers: ['printf \'{"version":"2"}\' > package.json'],
		asks: [
			'printf \'{"version":"2","scripts":{"test":"evil"}}\' > package.json',
			'printf \'{"bin":"evil.js"}\' > package.json',
			toFile('package-lock.json'),
			inDirectory('sub', 'package.json')
		]
	},
	forHost('a.example', ['b.a.example', 'a.example.evil.example', 'xa.example', 'a.example:8443']),
	forHost('a.example:8443', ['a.example', 'a.example:8444']),
	forHost('registry.npmjs.org', ['npmjs.org', 'www.npmjs.org', 'registry.npmjs.com']),
	forHost('203.0.113.7', ['203.0.113.8', '203.0.113.70', '203.0.113.7:81']),
	forHost('github.com', ['gist.github.com', 'github.com.evil.example', 'github.co']),
	forHost('raw.example.org', ['example.org', 'raw-example.org']),
	forHost('a-b.example', ['a.b.example', 'b.example']),
	forHost('xn--bcher-kva.example', ['bucher.example', 'xn--bcher.example']),
	forHost('www.example', ['example', 'www.example.org']),
	forHost('[2001:db8::1]', ['[2001:db8::2]', '[2001:db8::1]:81']),
	forHistory(COMMIT, ['git branch topic', 'git tag v1', 'git add a.txt', `${COMMIT} && git branch other`]),
	forHistory('git branch topic', [COMMIT, 'git branch -m topic2', 'git tag -a v2 -m x']),
	forHistory('git tag v0', ['git tag v1', 'git update-ref refs/heads/x HEAD', COMMIT]),
	forServer('sleep 0', ['sleep 0.01', 'node -e 1']),
	forServer('node -e "setTimeout(() => {}, 5)"', ['true', 'echo x > node_modules/.vite/deps.json']),
	forInput('python3', 'print(1)', [
		['python3', 'print(2)'],
		['python', 'print(1)'],
		['python3 -i', 'print(1)']
	]),
	forInput('ssh host', 'make x', [
		['ssh host', 'make y'],
		['ssh host2', 'make x'],
		['ssh host\nmake', 'x']
	]),
	forInput('npm init', 'y', [
		['npm init', 'n'],
		['npm init -y', 'y'],
		['npm publish', 'y']
	]),
	forInput('bash', 'ls', [
		['bash', 'ls; rm a.txt'],
		['bash', 'ls '],
		['sh', 'ls']
	]),
	forInput('node', '1 + 1', [
		['node', '1 + 2'],
		['node -i', '1 + 1']
	])
];
