import { runWords } from '#computer/shell/execution/run-words.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { expandGlob } from '#computer/shell/expansion/glob.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import type { Shell } from '#computer/shell/state/shell.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import { collector } from '#computer/shell/streams/simple-streams.ts';
import { concat, decode, encode } from '#computer/process/text.ts';
import { type Options, UsageError, parseOptions } from '../options.ts';
import { Build, type BuildHow, type Workshop } from './build.ts';
import { valueOf } from './expand.ts';
import type { Expansion } from './expansion.ts';
import { MakeFailure } from './failure.ts';
import { assignment } from './lines.ts';
import { readMakefile, type Reading } from './read.ts';
import { Rules } from './rules.ts';
import { MakeVariables, type Origin } from './variables.ts';
import { assign } from './assign.ts';

const OPTIONS =
	'f|file|makefile= C|directory= n|just-print|dry-run|recon s|silent|quiet B|always-make k|keep-going ' +
	'i|ignore-errors q|question t|touch e|environment-overrides j|jobs=? l|load-average=? O|output-sync=? ' +
	'r|no-builtin-rules R|no-builtin-variables S|no-keep-going|stop w|print-directory no-print-directory v|version ' +
	'I|include-dir= W|what-if= o|old-file= debug=? d p|print-data-base b m h|help warn-undefined-variables no-silent E|eval=';

const USAGE = `Usage: make [options] [target] ...
Options:
  -B, --always-make           Unconditionally make all targets.
  -C DIRECTORY                Change to DIRECTORY before doing anything.
  -f FILE                     Read FILE as a makefile.
  -i, --ignore-errors         Ignore errors from recipes.
  -k, --keep-going            Keep going when some targets can't be made.
  -n, --dry-run               Don't actually run any recipe; just print them.
  -q, --question              Run no recipe; exit status says if up to date.
  -s, --silent                Don't echo recipes.
  -t, --touch                 Touch targets instead of remaking them.
`;

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const OUTPUT_LIMIT_BYTES = 64 * 1_048_576;
const FAILED = 2;

/** GNU make: rules, patterns, variables, conditions and functions. No rules of its own: there are no compilers here. */
export const make: BuiltIn = async (call) => {
	let options: Options;
	try {
		options = parseOptions(call.args, OPTIONS);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		await call.complain(error.message);
		await warn(call, USAGE);
		return FAILED;
	}
	if (options.has('v')) {
		await call.out('GNU Make 4.3 (the part of it that the sandbox has)\n');
		return 0;
	}
	if (options.has('h')) {
		await call.out(USAGE);
		return 0;
	}
	return runSubshell(call.shell, (inner) => run({ ...call, shell: inner }, options));
};

async function run(call: Call, options: Options): Promise<number> {
	const { shell } = call;
	const level = Number(shell.environment()['MAKELEVEL'] ?? 0) || 0;
	const name = level === 0 ? 'make' : `make[${level}]`;
	let moved = false;
	for (const directory of options.all('C')) {
		if (shell.host.context.sync.statOrNull(shell.path(directory))?.kind !== 'directory') {
			await warn(call, `${name}: *** ${directory}: No such file or directory.  Stop.\n`);
			return FAILED;
		}
		shell.cwd = shell.path(directory);
		shell.variables.set('PWD', shell.cwd);
		moved = true;
	}
	const tells = (moved || options.has('w')) && !options.has('no-print-directory') && !options.has('s');
	if (tells) await call.out(`${name}: Entering directory '${shell.cwd}'\n`);
	try {
		return await build(call, options, name, level);
	} catch (error) {
		if (!(error instanceof MakeFailure)) throw error;
		if (error.message === '') return 1;
		await warn(call, error.place === '' ? `${name}: *** ${error.message}\n` : `${error.place}*** ${error.message}\n`);
		return FAILED;
	} finally {
		if (tells) await call.out(`${name}: Leaving directory '${shell.cwd}'\n`);
	}
}

async function build(call: Call, options: Options, name: string, level: number): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const rules = new Rules();
	const at = { file: '', line: 0 };
	const load = (file: string): string | null =>
		sync.statOrNull(shell.path(file))?.kind === 'file' ? decode(sync.readFile(shell.path(file))) : null;
	const scope: Expansion = {
		variables: firstVariables(call, options, level),
		glob: (pattern) => expandGlob(shell, [{ text: pattern, quoted: false }]),
		absolute: (path) => shell.path(path),
		exists: (path) => sync.statOrNull(shell.path(path)) !== null,
		shell: (command) => outputOf(shell, command),
		evaluate: (text) => readMakefile(reading, at.file, text),
		say: async (text) => call.out(text),
		warn: (text) => warn(call, text),
		place: () => (at.file === '' ? '' : `${at.file}:${at.line}: `)
	};
	const reading: Reading = { scope, rules, load, at };
	const goals: string[] = [];
	for (const operand of options.operands) {
		const set = assignment(operand);
		if (set) await assign(scope, set, 'command line');
		else goals.push(operand);
	}
	scope.variables.set('MAKECMDGOALS', { value: goals.join(' '), recursive: false, origin: 'default' });
	const given = options.all('f');
	const files = given.length > 0 ? given : MAKEFILES.filter((file) => load(file) !== null).slice(0, 1);
	scope.variables.set('MAKEFILE_LIST', {
		value: files.map((file) => ` ${file}`).join(''),
		recursive: false,
		origin: 'file'
	});
	for (const file of files) {
		const source = file === '-' ? decode(await shell.descriptors.require(0).readAll()) : load(file);
		if (source === null) {
			await warn(call, `${name}: ${file}: No such file or directory\n`);
			throw new MakeFailure(`No rule to make target '${file}'.  Stop.`);
		}
		await readMakefile(reading, file, source);
	}
	at.file = '';
	const first = scope.variables.find('.DEFAULT_GOAL')?.value.trim() || rules.first;
	if (goals.length === 0 && first !== null) goals.push(first);
	if (goals.length === 0) {
		throw new MakeFailure(
			files.length > 0 ? 'No targets.  Stop.' : 'No targets specified and no makefile found.  Stop.'
		);
	}
	const work = new Build(workshop(call, scope, rules, howOf(options), name, level));
	let complete = true;
	for (const goal of goals) complete = (await work.goal(goal)) && complete;
	return complete ? 0 : FAILED;
}

const howOf = (options: Options): BuildHow => ({
	dryRun: options.has('n'),
	silent: options.has('s'),
	always: options.has('B'),
	keepGoing: options.has('k') && !options.has('S'),
	ignoreErrors: options.has('i'),
	question: options.has('q'),
	touch: options.has('t')
});

function firstVariables(call: Call, options: Options, level: number): MakeVariables {
	const variables = new MakeVariables();
	const set = (name: string, value: string, origin: Origin) => variables.set(name, { value, recursive: false, origin });
	const flags = ['k', 's', 'i', 'n', 'B'].filter((letter) => options.has(letter)).join('');
	for (const [name, value] of Object.entries(call.shell.environment())) {
		if (!name.startsWith('BASH_FUNC_') && name !== 'SHELL') set(name, value, 'environment');
	}
	const own = {
		MAKE: 'make',
		CURDIR: call.shell.cwd,
		SHELL: '/bin/sh',
		MAKEFLAGS: flags,
		MAKE_VERSION: '4.3',
		RM: 'rm -f'
	};
	for (const [name, value] of Object.entries({ ...own, CC: 'cc', CXX: 'g++', AR: 'ar', '.DEFAULT_GOAL': '' })) {
		if (variables.find(name)?.origin !== 'environment' || name in own) set(name, value, 'default');
	}
	set('MAKELEVEL', String(level), 'default');
	return variables;
}

function workshop(call: Call, scope: Expansion, rules: Rules, how: BuildHow, name: string, level: number): Workshop {
	const { shell } = call;
	const { sync } = shell.host.context;
	return {
		scope,
		rules,
		how,
		name,
		modified: (path) => sync.statOrNull(shell.path(path))?.modifiedMs ?? null,
		touch: (path) => {
			if (!sync.statOrNull(shell.path(path))) sync.writeFile(shell.path(path), new Uint8Array(0));
			sync.utimes(shell.path(path), Date.now(), Date.now());
		},
		remove: (path) => sync.remove(shell.path(path), { force: true }),
		run: (command, inner) => runLine(shell, command, inner, level),
		say: async (text) => call.out(text),
		warn: (text) => warn(call, text)
	};
}

async function runLine(shell: Shell, command: string, scope: Expansion, level: number): Promise<number> {
	const { variables } = scope;
	return runSubshell(shell, async (inner) => {
		for (const name of variables.names()) {
			const variable = variables.find(name);
			if (!variable || !variables.isExported(name) || variable.origin === 'environment') continue;
			inner.variables.set(name, await valueOf(scope, name));
			inner.variables.declare(name, { exported: true });
		}
		inner.variables.set('MAKELEVEL', String(level + 1));
		inner.variables.declare('MAKELEVEL', { exported: true });
		const shellName = variables.find('SHELL')?.value ?? '/bin/sh';
		const flags = (variables.find('.SHELLFLAGS')?.value ?? '-c').split(' ');
		return runWords(inner, [shellName, ...flags, command], 'functions');
	});
}

/** Output of a command, with line ends replaced by blanks. */
async function outputOf(shell: Shell, command: string): Promise<string> {
	const out = collector(OUTPUT_LIMIT_BYTES);
	await runSubshell(shell, (inner) => {
		inner.descriptors.set(1, new OpenFile(out.stream));
		return runWords(inner, ['/bin/sh', '-c', command], 'functions');
	});
	return decode(concat(out.pieces)).replace(/\n+$/, '').replaceAll('\n', ' ');
}

async function warn(call: Call, text: string): Promise<void> {
	await call.shell.descriptors.get(2)?.write(encode(text));
}
