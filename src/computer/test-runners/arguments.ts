/** Arguments of `vitest` or `jest`. */
export interface RunnerArguments {
	/** Substrings of the paths of requested files. */
	filters: string[];
	namePattern: string | null;
	updateSnapshots: boolean;
	watch: boolean;
	coverage: boolean;
	config: string | null;
	root: string | null;
	passWithNoTests: boolean;
	version: boolean;
	verbose: boolean;
	overrides: { globals?: boolean; environment?: string; testTimeoutMs?: number };
}

const WITH_WORD = [
	'-t',
	'--testNamePattern',
	'-c',
	'--config',
	'--root',
	'--rootDir',
	'--dir',
	'--reporter',
	'--environment',
	'--env',
	'--testTimeout',
	'--maxWorkers',
	'--pool',
	'--project'
];

type TakeFlag = (read: RunnerArguments, value: string | undefined) => void;

const takeNamePattern: TakeFlag = (read, value) => void (read.namePattern = value ?? null);
const takeConfig: TakeFlag = (read, value) => void (read.config = value ?? null);
const takeRoot: TakeFlag = (read, value) => void (read.root = value ?? null);
const takeUpdate: TakeFlag = (read) => void (read.updateSnapshots = true);
const takeEnvironment: TakeFlag = (read, value) => void (read.overrides.environment = value);
const takeVersion: TakeFlag = (read) => void (read.version = true);
const takeCoverage: TakeFlag = (read, value) => void (read.coverage = value !== 'false');
const takeWatch: TakeFlag = (read, value) => void (read.watch = value !== 'false');

/** Flags with an effect here; the others are accepted without effect. */
const FLAGS: Record<string, TakeFlag | undefined> = {
	'-t': takeNamePattern,
	'--testNamePattern': takeNamePattern,
	'-c': takeConfig,
	'--config': takeConfig,
	'--root': takeRoot,
	'--rootDir': takeRoot,
	'-u': takeUpdate,
	'--update': takeUpdate,
	'--updateSnapshot': takeUpdate,
	'--globals': (read, value) => void (read.overrides.globals = value !== 'false'),
	'--environment': takeEnvironment,
	'--env': takeEnvironment,
	'--testTimeout': (read, value) => void (read.overrides.testTimeoutMs = Number(value)),
	'--passWithNoTests': (read) => void (read.passWithNoTests = true),
	'--version': takeVersion,
	'-v': takeVersion,
	'--verbose': (read) => void (read.verbose = true),
	'--reporter': (read, value) => void (read.verbose ||= value === 'verbose'),
	'--coverage': takeCoverage,
	'--coverage.enabled': takeCoverage,
	'--collectCoverage': takeCoverage,
	'-w': takeWatch,
	'--watch': takeWatch,
	'--watchAll': takeWatch
};

/** Parses the command line of a test runner. */
export function readArguments(args: string[], tool: 'vitest' | 'jest'): RunnerArguments {
	const read: RunnerArguments = {
		filters: [],
		namePattern: null,
		updateSnapshots: false,
		watch: false,
		coverage: false,
		config: null,
		root: null,
		passWithNoTests: false,
		version: false,
		verbose: false,
		overrides: {}
	};
	const queue = [...args];
	if (tool === 'vitest' && ['run', 'watch', 'dev', 'related'].includes(queue[0] ?? '')) queue.shift();
	for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
		if (!word.startsWith('-')) {
			read.filters.push(word);
			continue;
		}
		const [flag = '', inline] = word.split(/=(.*)/s);
		const value = WITH_WORD.includes(flag) ? (inline ?? queue.shift() ?? '') : inline;
		FLAGS[flag]?.(read, value);
	}
	return read;
}
