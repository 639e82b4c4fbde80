import { REJECTION_MODES, type RejectionMode } from './runtime/rejections.ts';
import { isTypeScriptLoader } from './replaced-tools.ts';

/** Command line of `node`. */
export interface NodeOptions {
	action: 'file' | 'script' | 'eval' | 'stdin' | 'version' | 'help' | 'check' | 'test' | 'repl' | 'thread';
	/** Code of `-e`. */
	code: string;
	print: boolean;
	module: boolean;
	/** Set if the code of `-e` is TypeScript. */
	typescript: boolean;
	file: string | null;
	/** Arguments of the program after `argv[1]`. */
	rest: string[];
	/** Node's own flags, for `process.execArgv`; those of `--watch` belong to the watcher, not to the program. */
	execArgv: string[];
	/** All flags without arguments, those of `NODE_OPTIONS` first. */
	flags: string[];
	/** Initial `process.title`. */
	title: string;
	rejections: RejectionMode;
	preload: { kind: 'require' | 'import'; specifier: string }[];
	/** Conditions of `exports` besides Node's own. */
	conditions: string[];
	/** Set if the program is run again after each change. */
	watch: boolean;
	/** Paths to watch instead of the files that the program loads. */
	watchPaths: string[];
	/** Files of `NAME=value` lines; an `optional` one may be missing. */
	envFiles: { path: string; optional: boolean }[];
	test: TestOptions;
	/** Resolve names using TypeScript's configuration, like `tsx`: from a file, or the nearest one if empty. */
	tsconfig: string | null;
}

export interface TestOptions {
	names: string[];
	skipNames: string[];
	only: boolean;
	/** Reporters in order, and where each writes. */
	reporters: string[];
	destinations: string[];
	timeoutMs: number;
	concurrency: number;
}

export class UsageError extends Error {}

/** Flags without effect here: accepted so that scripts written for Node run. */
const ACCEPTED =
	/^--(no-warnings|no-deprecation|trace-\S+|enable-source-maps|experimental-\S+|no-experimental-\S+|harmony\S*|max-old-space-size(=.*)?|max_old_space_size(=.*)?|stack-size=.*|expose-gc|disable-warning=.*|preserve-symlinks|test-force-exit|test-update-snapshots|test-isolation=.*|stack-trace-limit=.*|no-addons|pending-deprecation|throw-deprecation|force-color|watch-preserve-output|disable-proto=.*|dns-result-order=.*|(inspect|inspect-brk|inspect-wait)(=.*)?|(inspect|debug)-port=.*|inspect-publish-uid=.*)$/;

/** Flags that select what node does; the last one wins. */
const ACTIONS: Record<string, NodeOptions['action'] | undefined> = {
	'-e': 'eval',
	'--eval': 'eval',
	'-p': 'eval',
	'-pe': 'eval',
	'--print': 'eval',
	'-v': 'version',
	'--version': 'version',
	'-h': 'help',
	'--help': 'help',
	'-c': 'check',
	'--check': 'check',
	'--test': 'test',
	'--run': 'script',
	'--sandglass-thread': 'thread',
	'-i': 'repl',
	'--interactive': 'repl'
};

/** Applies a flag. `value` reads its argument. @throws UsageError */
type TakeFlag = (options: NodeOptions, value: () => string, flag: string) => void;

const takeCode: TakeFlag = (options, value) => void (options.code = value());
const takePrinted: TakeFlag = (options, value) => Object.assign(options, { code: value(), print: true });
const takeRequire: TakeFlag = (options, value) => preload(options, 'require', value());
const takeImport: TakeFlag = (options, value) => preload(options, 'import', value());
const takeCondition: TakeFlag = (options, value) => void options.conditions.push(value());
const takeEnvFile: TakeFlag = (options, value, flag) =>
	void options.envFiles.push({ path: value(), optional: flag !== '--env-file' });

/** Flags that set something. */
const FLAGS: Record<string, TakeFlag | undefined> = {
	'-e': takeCode,
	'--eval': takeCode,
	'-p': takePrinted,
	'-pe': takePrinted,
	'--print': takePrinted,
	'--watch': (options) => void (options.watch = true),
	'--watch-path': (options, value) => {
		options.watch = true;
		options.watchPaths.push(value());
	},
	'--loader': takeImport,
	'--experimental-loader': takeImport,
	'--import': takeImport,
	'-r': takeRequire,
	'--require': takeRequire,
	'--input-type': (options, value) => {
		const type = value();
		if (!/^(module|commonjs)(-typescript)?$/.test(type)) {
			throw new UsageError('--input-type must be "module", "commonjs", "module-typescript" or "commonjs-typescript"');
		}
		options.module = type.startsWith('module');
		options.typescript = type.endsWith('typescript');
	},
	'-C': takeCondition,
	'--conditions': takeCondition,
	'--unhandled-rejections': (options, value) => {
		const given = value();
		const mode = REJECTION_MODES.find((known) => known === given);
		if (!mode) throw new UsageError('invalid value for --unhandled-rejections');
		options.rejections = mode;
	},
	'--title': (options, value) => void (options.title = value()),
	'--redirect-warnings': (_options, value) => void value(),
	'--env-file': takeEnvFile,
	'--env-file-if-exists': takeEnvFile
};

/**
 * @param args arguments after `node` on the command line
 * @param ambient flags of `NODE_OPTIONS`; unknown ones are ignored
 * @throws UsageError
 */
export function parseOptions(args: string[], ambient: string[] = []): NodeOptions {
	const options: NodeOptions = {
		action: 'repl',
		code: '',
		print: false,
		module: false,
		typescript: false,
		file: null,
		rest: [],
		execArgv: [],
		flags: [],
		title: 'node',
		rejections: 'throw',
		preload: [],
		conditions: [],
		watch: false,
		watchPaths: [],
		envFiles: [],
		test: {
			names: [],
			skipNames: [],
			only: false,
			reporters: [],
			destinations: [],
			timeoutMs: Infinity,
			concurrency: 2
		},
		tsconfig: null
	};
	const around = [...ambient];
	while (around.length > 0) takeFlagOf(options, around, 'NODE_OPTIONS');
	const queue = [...args];
	const chosen: NodeOptions['action'][] = [];
	while (queue.length > 0) {
		const argument = queue[0] ?? '';
		if (argument === '-') {
			queue.shift();
			chosen.push('stdin');
			break;
		}
		if (argument === '--') {
			queue.shift();
			break;
		}
		if (!argument.startsWith('-')) break;
		const action = takeFlagOf(options, queue, 'arguments');
		if (action) chosen.push(action);
	}
	options.action = chosen.at(-1) ?? (queue.length > 0 ? 'file' : 'repl');
	if (options.action === 'file' || options.action === 'check') options.file = queue.shift() ?? null;
	if (options.action === 'check' && options.file === null) throw new UsageError('--check requires a file');
	options.rest = queue;
	if (options.watch && options.file === null && options.action !== 'test')
		throw new UsageError('--watch requires a file');
	return options;
}

/** Takes the first flag from a queue, with its argument. @returns the action it selects, if any */
function takeFlagOf(options: NodeOptions, queue: string[], source: 'arguments' | 'NODE_OPTIONS') {
	const argument = queue.shift() ?? '';
	const [flag = '', inline] = split(argument);
	const isKept = source === 'arguments' && !flag.startsWith('--watch');
	options.flags.push(argument);
	if (isKept) options.execArgv.push(argument);
	const value = () => {
		const given = inline ?? queue.shift();
		if (given === undefined) throw new UsageError(`${argument} requires an argument`);
		if (inline === undefined && isKept) options.execArgv.push(given);
		return given;
	};
	const action = source === 'arguments' ? ACTIONS[flag] : undefined;
	const takeFlag = FLAGS[flag];
	if (takeFlag) takeFlag(options, value, flag);
	else if (flag === '--sandglass-tsconfig') options.tsconfig = inline ?? '';
	else if (flag.startsWith('--test-') && testFlag(options.test, flag, value)) return action;
	else if (!action && source === 'arguments' && !ACCEPTED.test(argument)) {
		throw new UsageError(`bad option: ${argument}`);
	}
	return action;
}

/** Splits `NODE_OPTIONS` into flags: words separated by spaces; double quotes keep spaces. */
export function flagsOf(text = ''): string[] {
	const words = text.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [];
	return words.map((word) => word.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner: string) => inner.replace(/\\(.)/g, '$1')));
}

function preload(options: NodeOptions, kind: 'require' | 'import', specifier: string): void {
	if (!isTypeScriptLoader(specifier)) options.preload.push({ kind, specifier });
	else if (/^(tsx|ts-node|tsconfig-paths)\b/.test(specifier)) options.tsconfig ??= '';
}

function testFlag(test: TestOptions, flag: string, value: () => string): boolean {
	if (flag === '--test-name-pattern') test.names.push(value());
	else if (flag === '--test-skip-pattern') test.skipNames.push(value());
	else if (flag === '--test-only') test.only = true;
	else if (flag === '--test-reporter') test.reporters.push(value());
	else if (flag === '--test-reporter-destination') test.destinations.push(value());
	else if (flag === '--test-timeout') test.timeoutMs = Number(value());
	else if (flag === '--test-concurrency') test.concurrency = Math.max(1, Number(value()) || 1);
	else return false;
	return true;
}

function split(argument: string): [string, string | undefined] {
	const at = argument.startsWith('--') ? argument.indexOf('=') : -1;
	return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}
