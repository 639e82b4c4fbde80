import picomatch from 'picomatch';
import { absolute, basename, join } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { readArguments } from './arguments.ts';
import { JOB_VARIABLE, type Job } from './job.ts';
import { jestReport } from './reports/jest.ts';
import type { Report } from './reports/report.ts';
import { vitestReport } from './reports/vitest.ts';
import { type FileReport, type FileResult, fileResultShape } from './result.ts';
import { readSettings, type Settings, unhonoured } from './settings.ts';
import { type Tool, TOOLS } from './tool.ts';

const AT_ONCE = 2;
const RESULTS = '/tmp/.sandglass-tests';

/** `vitest run` or `jest`: finds the test files, runs each in a separate process and reports. @returns the exit code */
export async function runCommand(context: ProcessContext): Promise<number> {
	const { sync, argv, cwd } = context;
	const tool = TOOLS[basename(argv[0] ?? '') === 'jest' ? 'jest' : 'vitest'];
	const args = readArguments(argv.slice(1), tool.name);
	const root = args.root === null ? cwd : absolute(args.root, cwd);
	const print = (text: string) => sync.write(1, new TextEncoder().encode(text));
	if (args.version) {
		print(`Sandglass's own runner in place of ${tool.name}\n`);
		return 0;
	}
	const startedMs = performance.now();
	const colours = sync.isTerminal(1) && context.env['NO_COLOR'] === undefined;
	const makeReport = tool.name === 'jest' ? jestReport : vitestReport;
	const report: Report = makeReport({ print, colours, root, verbose: args.verbose, why: tool.why });
	const directory = join(RESULTS, String(context.pid));
	sync.mkdir(directory, { recursive: true });
	try {
		const { settings, notes } = await configure(context, tool, root, args.config, join(directory, 'config.json'));
		const wanted: Settings = {
			...settings,
			...args.overrides,
			namePattern: args.namePattern,
			snapshots: args.updateSnapshots ? 'all' : context.env['CI'] ? 'none' : 'new'
		};
		report.begin([
			...notes,
			...(args.coverage ? ['It does not measure coverage: the tests run without.'] : []),
			...(args.watch ? ['It does not watch: the tests run once.'] : [])
		]);
		const files = findFiles(context, root, wanted, args.filters);
		if (files.length === 0) {
			report.nothing(wanted.include, args.filters);
			return args.passWithNoTests || wanted.passWithNoTests ? 0 : 1;
		}
		const reports = await runAll(context, tool, root, wanted, files, directory, report);
		report.end(reports, performance.now() - startedMs);
		const failed = reports.some(
			({ tests, failures }) => failures.length > 0 || tests.some(({ state }) => state === 'fail')
		);
		return failed ? 1 : 0;
	} finally {
		sync.remove(directory, { recursive: true, force: true });
	}
}

/** Settings of the project, and notes for the user about how they were read. */
async function configure(context: ProcessContext, tool: Tool, root: string, given: string | null, result: string) {
	const { sync } = context;
	const name = given ?? tool.configFiles.find((file) => sync.statOrNull(join(root, file)));
	if (name === undefined) return configured(tool, packageField(context, root, tool.name));
	const file = absolute(name, root);
	if (file.endsWith('.json')) return configured(tool, readJson(context, file));
	const code = await start(context, { kind: 'config', tool: tool.name, root, file, result }, true);
	if (code === 0) return configured(tool, readJson(context, result));
	const complaint = `${basename(file)} could not be read here, probably for its plugins: the usual settings are taken.`;
	return { settings: readSettings(tool, {}), notes: [complaint] };
}

function configured(tool: Tool, config: unknown): { settings: Settings; notes: string[] } {
	const keys = unhonoured(tool, config);
	const note = `It does not honour these keys of the configuration, so that tests may fail here that pass elsewhere: ${keys.join(', ')}.`;
	return { settings: readSettings(tool, config), notes: keys.length > 0 ? [note] : [] };
}

function packageField(context: ProcessContext, root: string, name: string): unknown {
	const json = readJson(context, join(root, 'package.json'));
	return Reflect.get(Object(json), name);
}

function readJson({ sync }: ProcessContext, file: string): unknown {
	if (!sync.statOrNull(file)) return null;
	try {
		return JSON.parse(new TextDecoder().decode(sync.readFile(file)));
	} catch {
		// Errors in it are reported by other users of the file: npm, or the tests.
		return null;
	}
}

function findFiles({ sync, cwd }: ProcessContext, root: string, settings: Settings, filters: string[]): string[] {
	const isTest = picomatch(settings.include, { ignore: settings.exclude, dot: true });
	const parts = filters.map((filter) =>
		filter.startsWith('./') ? absolute(filter, cwd).slice(root.length + 1) : filter
	);
	return sync
		.walk(root, { skip: ['node_modules', '.git'] })
		.filter(({ stat }) => stat.kind === 'file')
		.map(({ path }) => path.slice(root.length + 1))
		.filter((file) => isTest(file) && (parts.length === 0 || parts.some((part) => matches(file, part))))
		.sort();
}

function matches(file: string, part: string): boolean {
	if (file.includes(part)) return true;
	try {
		return new RegExp(part).test(file);
	} catch {
		return false;
	}
}

async function runAll(
	context: ProcessContext,
	tool: Tool,
	root: string,
	settings: Settings,
	files: string[],
	directory: string,
	report: Report
): Promise<FileReport[]> {
	const reports: FileReport[] = [];
	const queue = [...files.entries()];
	const work = async () => {
		for (let next = queue.shift(); next; next = queue.shift()) {
			const [index, file] = next;
			const startedMs = performance.now();
			const result = join(directory, `${index}.json`);
			const code = await start(
				context,
				{ kind: 'file', tool: tool.name, root, file: join(root, file), result, settings },
				false
			);
			const done = { ...readResult(context, result, code), file, durationMs: performance.now() - startedMs };
			reports.push(done);
			report.file(done);
		}
	};
	await Promise.all(Array.from({ length: Math.min(AT_ONCE, files.length) }, work));
	return reports.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file));
}

/** Starts a process of this same program; npm's variables and similar ones are passed on. */
async function start(context: ProcessContext, job: Job, quiet: boolean): Promise<number> {
	const env = { ...context.env, [JOB_VARIABLE]: JSON.stringify(job), NODE_ENV: context.env['NODE_ENV'] ?? 'test' };
	if (job.tool === 'vitest') Object.assign(env, { VITEST: 'true', TEST: 'true' });
	else Object.assign(env, { JEST_WORKER_ID: '1' });
	const silent = quiet ? { stdout: 'null' as const, stderr: 'null' as const } : {};
	const pid = context.sync.spawn({ argv: [`/usr/bin/${job.tool}`], cwd: job.root, env, stdin: 'null', ...silent });
	return (await context.async.waitPid(pid)).code;
}

function readResult({ sync }: ProcessContext, file: string, code: number): FileResult {
	if (sync.statOrNull(file)) {
		const parsed = fileResultShape.safeParse(JSON.parse(new TextDecoder().decode(sync.readFile(file))));
		if (parsed.success) return parsed.data;
	}
	const message = `The file ended its process with code ${code} before its tests were done.`;
	return {
		tests: [],
		failures: [{ name: 'Error', message, stack: '' }],
		snapshots: { added: 0, updated: 0, failed: 0 }
	};
}
