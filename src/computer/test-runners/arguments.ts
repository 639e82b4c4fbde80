/** Arguments of `vitest` or `jest`. */
export interface RunnerArguments {
	/** Parts of the paths of wanted files. */
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
		switch (flag) {
			case '-t':
			case '--testNamePattern':
				read.namePattern = value ?? null;
				break;
			case '-c':
			case '--config':
				read.config = value ?? null;
				break;
			case '--root':
			case '--rootDir':
				read.root = value ?? null;
				break;
			case '-u':
			case '--update':
			case '--updateSnapshot':
				read.updateSnapshots = true;
				break;
			case '--globals':
				read.overrides.globals = value !== 'false';
				break;
			case '--environment':
			case '--env':
				read.overrides.environment = value;
				break;
			case '--testTimeout':
				read.overrides.testTimeoutMs = Number(value);
				break;
			case '--passWithNoTests':
				read.passWithNoTests = true;
				break;
			case '--version':
			case '-v':
				read.version = true;
				break;
			case '--verbose':
				read.verbose = true;
				break;
			case '--reporter':
				read.verbose ||= value === 'verbose';
				break;
			case '--coverage':
			case '--coverage.enabled':
			case '--collectCoverage':
				read.coverage = value !== 'false';
				break;
			case '-w':
			case '--watch':
			case '--watchAll':
				read.watch = value !== 'false';
		}
	}
	return read;
}
