import picomatch from 'picomatch';
import type { TestArguments } from '../arguments.ts';
import { readConfig, withoutEffect, type ConfigSettings, type ProjectConfig } from '../config.ts';
import type { Host } from '../host.ts';
import { createReporters, together } from '../reports/create-reporters.ts';
import { fullTitle } from '../reports/names.ts';
import { startWebServer } from '../web-server.ts';
import { resultError } from './failures.ts';
import { onlyMarked, planFile, type Planned, type Wanted } from './plan.ts';
import type { ResultError, TestReport } from './results.ts';
import { TestRun } from './run-tests.ts';
import { Suite, titlesOf } from './suite.ts';
import type { World } from './world.ts';

const CONFIG_FILES = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((extension) => `playwright.config.${extension}`);

/** `playwright test`. @returns the exit code @throws Error with a complete sentence */
export async function runTestCommand(args: TestArguments, host: Host, world: World): Promise<number> {
	const config = await loadConfig(args, host, world);
	world.setExpectTimeout(config.expectTimeoutMs);
	const projects = chosenProjects(config.projects, args.projects);
	const { planned, errors } = await collect(projects, config, args, host, world);
	const reporter = together(createReporters(config, host));
	const startedMs = performance.now();
	if (args.isList) return list(planned, errors, config, host);
	if (errors.length > 0) {
		reporter.end([], 0, errors);
		return 1;
	}
	if (planned.length === 0) {
		host.print('Error: No tests found\n');
		return args.passesWithNoTests ? 0 : 1;
	}
	const forbidden = planned.find(({ test }) => test.isOnly || test.suite.path().some(({ isOnly }) => isOnly));
	if (forbidden && (args.forbidsOnly || config.forbidOnly))
		throw new Error(
			`item focused with '.only' is not allowed due to the '--forbid-only' CLI flag: "${titlesOf(forbidden.test).join(' ')}"`
		);
	for (const sentence of withoutEffect(config)) host.print(`${sentence}\n`);
	const names = namesIn(config, host);
	const run = new TestRun({ state: world.state, session: world.session, config, write: host.write }, reporter, names);
	const end = await setUp(config, host);
	try {
		host.removeFolder(config.outputDir);
		reporter.begin(planned.length);
		await run.run(planned, args.maxFailures ?? config.maxFailures);
	} finally {
		await end();
		await world.session.channel.ask({ do: 'end' });
	}
	reporter.end(run.reports, performance.now() - startedMs, run.errors);
	return run.errors.length > 0 ||
		run.reports.some(({ outcome }) => outcome === 'unexpected' || outcome === 'did not run')
		? 1
		: 0;
}

async function loadConfig(args: TestArguments, host: Host, world: World): Promise<ConfigSettings> {
	const { cwd } = host;
	const given = args.config === null ? null : args.config.startsWith('/') ? args.config : `${cwd}/${args.config}`;
	const folder = given !== null && host.read(given) === null ? given.replace(/\/$/, '') : cwd;
	const file =
		given !== null && folder === cwd
			? given
			: CONFIG_FILES.map((name) => `${folder}/${name}`).find((path) => host.read(path) !== null);
	if (given !== null && file === undefined) throw new Error(`${args.config} does not exist`);
	world.state.root = cwd;
	const over = {
		timeoutMs: args.timeoutMs ?? undefined,
		retries: args.retries ?? undefined,
		reporters: args.reporters ?? undefined,
		outputDir: args.outputDir ?? undefined
	};
	if (file === undefined) return readConfig({}, cwd, over);
	const exported: unknown = Reflect.get(Object(await host.importFile(file)), 'default');
	return readConfig(exported ?? {}, file.slice(0, file.lastIndexOf('/')), over);
}

/** Projects selected by a command line, each after its dependencies. */
function chosenProjects(all: ProjectConfig[], names: string[]): ProjectConfig[] {
	const isNamed = ({ name }: ProjectConfig): boolean =>
		names.length === 0 ||
		names.some((each) => picomatch.isMatch(name.toLowerCase(), each.toLowerCase()) || each === name);
	const chosen = all.filter(isNamed);
	if (chosen.length === 0) {
		const known = all.map(({ name }) => `"${name}"`).join(', ');
		throw new Error(
			`Project(s) ${names.map((name) => `"${name}"`).join(', ')} not found. Available projects: ${known}`
		);
	}
	const ordered: ProjectConfig[] = [];
	const add = (project: ProjectConfig, above: ProjectConfig[]): void => {
		if (ordered.includes(project) || above.includes(project)) return;
		for (const name of project.dependencies) {
			const first = all.find((each) => each.name === name);
			if (!first) throw new Error(`Project '${project.name}' depends on unknown project '${name}'`);
			add(first, [...above, project]);
		}
		ordered.push(project);
	};
	for (const project of chosen) add(project, []);
	return ordered;
}

/** Loads the test files, each once, and selects their tests. */
async function collect(
	projects: ProjectConfig[],
	config: ConfigSettings,
	args: TestArguments,
	host: Host,
	world: World
): Promise<{ planned: Planned[]; errors: ResultError[] }> {
	const wanted: Wanted = {
		grep: args.grep === null ? config.grep : [new RegExp(args.grep, 'i')],
		grepInvert: args.grepInvert === null ? config.grepInvert : [new RegExp(args.grepInvert, 'i')],
		filters: args.filters.map((filter) => {
			const [, path = filter, line] = /^(.*?)(?::(\d+))?(?::\d+)?$/.exec(filter) ?? [];
			return { path, line: line === undefined ? null : Number(line) };
		})
	};
	const suites = new Map<string, Suite>();
	const errors: ResultError[] = [];
	const planned: Planned[] = [];
	for (const project of projects) {
		for (const file of testFiles(project, host)) {
			if (
				wanted.filters.length > 0 &&
				!wanted.filters.some(({ path }) => file.includes(path) || new RegExp(path).test(file))
			)
				continue;
			const suite = suites.get(file) ?? (await load(file, host, world, errors));
			suites.set(file, suite);
			planned.push(...planFile(project, file, suite, file.slice(project.testDir.length + 1), wanted));
		}
	}
	return { planned: onlyMarked(planned), errors };
}

async function load(file: string, host: Host, world: World, errors: ResultError[]): Promise<Suite> {
	const suite = new Suite(file, null);
	world.state.suite = suite;
	try {
		await host.importFile(file);
	} catch (error) {
		errors.push(resultError(error, world.state.root));
	}
	world.state.suite = null;
	return suite;
}

function testFiles({ testDir, testMatch, testIgnore }: ProjectConfig, host: Host): string[] {
	const isMatch = (patterns: (string | RegExp)[], file: string): boolean =>
		patterns.some((pattern) =>
			pattern instanceof RegExp
				? pattern.test(file)
				: picomatch.isMatch(file, pattern.startsWith('/') ? pattern : `**/${pattern}`, { dot: true })
		);
	return host
		.filesBelow(testDir)
		.filter((file) => isMatch(testMatch, file) && !isMatch(testIgnore, file))
		.sort();
}

function namesIn(
	config: ConfigSettings,
	host: Host
): (file: string, planned: Planned) => { file: string; path: string } {
	const below = (file: string, folder: string): string =>
		file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
	return (file) => ({ file: below(file, config.rootDir), path: below(file, host.cwd) });
}

function list(planned: Planned[], errors: ResultError[], config: ConfigSettings, host: Host): number {
	host.print('Listing tests:\n');
	const names = namesIn(config, host);
	for (const each of planned) {
		const { test, project, file } = each;
		const report: TestReport = {
			project: project.name,
			...names(file, each),
			place: test.place,
			titles: titlesOf(test),
			tags: [],
			expectedStatus: 'passed',
			annotations: [],
			attempts: [],
			outcome: 'expected'
		};
		host.print(`  ${fullTitle(report)}\n`);
	}
	const files = new Set(planned.map(({ file }) => file)).size;
	host.print(
		`Total: ${planned.length} test${planned.length === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}\n`
	);
	for (const { message } of errors) host.print(`\n${message}\n`);
	if (planned.length === 0) host.print('Error: No tests found\n');
	return errors.length > 0 || planned.length === 0 ? 1 : 0;
}

/** Starts servers and runs the global set-up. Returns the function that ends them. */
async function setUp(config: ConfigSettings, host: Host): Promise<() => Promise<void>> {
	const ends: (() => unknown)[] = [];
	const end = async (): Promise<void> => {
		for (const each of ends.reverse()) await each();
	};
	const runFile = async (path: string): Promise<unknown> => {
		const exported: unknown = await host.importFile(path.startsWith('/') ? path : `${config.rootDir}/${path}`);
		const call: unknown = Reflect.get(Object(exported), 'default');
		return typeof call === 'function' ? (call as (given: object) => unknown)(config) : undefined;
	};
	try {
		for (const server of config.webServers) ends.push(await startWebServer(server, host, config.rootDir));
		for (const path of config.globalTeardown) ends.push(() => runFile(path));
		for (const path of config.globalSetup) {
			const tearDown = await runFile(path);
			if (typeof tearDown === 'function') ends.push(tearDown as () => unknown);
		}
	} catch (error) {
		await end();
		throw error;
	}
	return end;
}
