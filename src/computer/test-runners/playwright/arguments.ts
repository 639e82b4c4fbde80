/** Arguments of `playwright test`. */
export interface TestArguments {
	filters: string[];
	config: string | null;
	grep: string | null;
	grepInvert: string | null;
	projects: string[];
	retries: number | null;
	reporters: string[] | null;
	timeoutMs: number | null;
	maxFailures: number | null;
	outputDir: string | null;
	isList: boolean;
	forbidsOnly: boolean;
	passesWithNoTests: boolean;
}

/** Options whose value is the next word, and how each is applied. */
const WITH_WORD: Readonly<Record<string, (read: TestArguments, word: string) => void>> = {
	'--config': (read, word) => void (read.config = word),
	'--grep': (read, word) => void (read.grep = word),
	'--grep-invert': (read, word) => void (read.grepInvert = word),
	'--project': (read, word) => void read.projects.push(word),
	'--retries': (read, word) => void (read.retries = Number(word)),
	'--reporter': (read, word) => void (read.reporters = word.split(',')),
	'--timeout': (read, word) => void (read.timeoutMs = Number(word)),
	'--max-failures': (read, word) => void (read.maxFailures = Number(word)),
	'--output': (read, word) => void (read.outputDir = word),
	'--workers': () => {},
	'--global-timeout': () => {},
	'--tsconfig': () => {}
};

const FLAGS: Readonly<Record<string, (read: TestArguments) => void>> = {
	'--list': (read) => void (read.isList = true),
	'--forbid-only': (read) => void (read.forbidsOnly = true),
	'--pass-with-no-tests': (read) => void (read.passesWithNoTests = true),
	'-x': (read) => void (read.maxFailures = 1),
	'--headed': () => {},
	'--fully-parallel': () => {},
	'--quiet': () => {},
	'--no-deps': () => {}
};

const SHORT: Readonly<Record<string, string>> = {
	'-c': '--config',
	'-g': '--grep',
	'-gv': '--grep-invert',
	'-j': '--workers'
};

/** Unsupported parts of Playwright's command line. */
const NOT_THERE = [
	'--ui',
	'--ui-host',
	'--ui-port',
	'--debug',
	'--trace',
	'--shard',
	'--update-snapshots',
	'-u',
	'--repeat-each',
	'--last-failed',
	'--only-changed',
	'--browser'
];

/** Parses the command line after `test`. @throws Error with a complete sentence */
export function readTestArguments(given: readonly string[]): TestArguments {
	const read: TestArguments = {
		filters: [],
		config: null,
		grep: null,
		grepInvert: null,
		projects: [],
		retries: null,
		reporters: null,
		timeoutMs: null,
		maxFailures: null,
		outputDir: null,
		isList: false,
		forbidsOnly: false,
		passesWithNoTests: false
	};
	const queue = [...given];
	for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
		if (!word.startsWith('-')) {
			read.filters.push(word);
			continue;
		}
		const [flag = '', inline] = word.split(/=(.*)/s);
		const name = SHORT[flag] ?? flag;
		const take = WITH_WORD[name];
		if (take) {
			const value = inline ?? queue.shift();
			if (value === undefined) throw new Error(`option '${name} <value>' argument missing`);
			take(read, value);
			// One option may be followed by several projects.
			while (
				name === '--project' &&
				inline === undefined &&
				queue[0] !== undefined &&
				!queue[0].startsWith('-') &&
				!/[./]/.test(queue[0])
			)
				take(read, queue.shift() ?? '');
		} else if (FLAGS[name]) FLAGS[name](read);
		else if (NOT_THERE.includes(name)) throw new Error(`${name} is not there when tests run in a browser tab.`);
		else throw new Error(`unknown option '${flag}'`);
	}
	return read;
}
