import type { UseOptions } from './browser/session.ts';

/** Server that is started before the tests. */
export interface WebServer {
	command: string;
	url?: string | undefined;
	port?: number | undefined;
	timeout?: number | undefined;
	reuseExistingServer?: boolean | undefined;
	cwd?: string | undefined;
	env?: Record<string, string> | undefined;
}

export interface ProjectConfig {
	name: string;
	testDir: string;
	testMatch: (string | RegExp)[];
	testIgnore: (string | RegExp)[];
	timeoutMs: number;
	retries: number;
	use: UseOptions;
	grep: RegExp[];
	grepInvert: RegExp[];
	dependencies: string[];
}

export interface ConfigSettings {
	/** Directory of the configuration file. */
	rootDir: string;
	projects: ProjectConfig[];
	webServers: WebServer[];
	reporters: [name: string, options: Record<string, unknown>][];
	outputDir: string;
	timeoutMs: number;
	expectTimeoutMs: number | undefined;
	globalSetup: string[];
	globalTeardown: string[];
	forbidOnly: boolean;
	maxFailures: number;
	grep: RegExp[];
	grepInvert: RegExp[];
}

/** Settings from a command line, which override the configuration. */
export interface ConfigOverrides {
	timeoutMs?: number | undefined;
	retries?: number | undefined;
	reporters?: string[] | undefined;
	outputDir?: string | undefined;
}

type Given = Record<string, unknown>;

const TEST_FILES = ['**/*.@(spec|test).?(c|m)[jt]s?(x)'];
const DEFAULT_MS = 30_000;

/** Parses the exports of a configuration file. @throws Error naming an invalid field */
export function readConfig(exported: unknown, rootDir: string, over: ConfigOverrides): ConfigSettings {
	const given = record(exported, 'The configuration');
	const timeoutMs = over.timeoutMs ?? number(given['timeout']) ?? DEFAULT_MS;
	const base = { ...given, timeout: timeoutMs };
	const named = Array.isArray(given['projects']) && given['projects'].length > 0 ? given['projects'] : [{}];
	return {
		rootDir,
		projects: named.map((project) => readProject(record(project, 'A project'), base, rootDir, over)),
		webServers: list(given['webServer']).map((server) => record(server, 'webServer') as unknown as WebServer),
		reporters: readReporters(over.reporters ?? given['reporter'] ?? 'list'),
		outputDir: below(rootDir, over.outputDir ?? text(given['outputDir']) ?? 'test-results'),
		timeoutMs,
		expectTimeoutMs: number(record(given['expect'] ?? {}, 'expect')['timeout']),
		globalSetup: list(given['globalSetup']).map(String),
		globalTeardown: list(given['globalTeardown']).map(String),
		forbidOnly: given['forbidOnly'] === true,
		maxFailures: number(given['maxFailures']) ?? 0,
		grep: patterns(given['grep']),
		grepInvert: patterns(given['grepInvert'])
	};
}

function readProject(project: Given, base: Given, rootDir: string, over: ConfigOverrides): ProjectConfig {
	const own = (key: string): unknown => project[key] ?? base[key];
	return {
		name: text(project['name']) ?? '',
		testDir: below(rootDir, text(own('testDir')) ?? '.'),
		testMatch: list(own('testMatch') ?? TEST_FILES) as (string | RegExp)[],
		testIgnore: list(own('testIgnore')) as (string | RegExp)[],
		timeoutMs: over.timeoutMs ?? number(own('timeout')) ?? DEFAULT_MS,
		retries: over.retries ?? number(own('retries')) ?? 0,
		use: { ...record(base['use'] ?? {}, 'use'), ...record(project['use'] ?? {}, 'use') },
		grep: patterns(project['grep']),
		grepInvert: patterns(project['grepInvert']),
		dependencies: list(project['dependencies']).map(String)
	};
}

function readReporters(given: unknown): [string, Given][] {
	if (typeof given === 'string') return [[given, {}]];
	return list(given).map((each) => {
		const [name, options] = [each].flat() as [unknown, unknown];
		return [String(name), record(options ?? {}, 'reporter')];
	});
}

/** Options of `use` that would change what a page does, and cannot be supported in a tab. */
const NOT_KEPT = [
	'locale',
	'timezoneId',
	'colorScheme',
	'geolocation',
	'permissions',
	'offline',
	'storageState',
	'httpCredentials',
	'javaScriptEnabled',
	'reducedMotion',
	'forcedColors'
];

/** Messages about parts of the configuration that have no effect. */
export function withoutEffect(config: ConfigSettings): string[] {
	const uses = config.projects.map(({ use }) => use);
	const options = NOT_KEPT.filter((name) => uses.some((use) => use[name] !== undefined)).map(
		(name) => `use.${name} has no effect in a browser tab.`
	);
	const browsers = new Set(
		uses
			.map((use) => use.browserName ?? use['defaultBrowserType'])
			.filter((name) => name === 'firefox' || name === 'webkit')
	);
	const isOn = (value: unknown): boolean => value !== undefined && value !== 'off' && value !== false;
	return [
		...options,
		...(browsers.size > 0
			? [`Tests for ${[...browsers].map(String).join(' and ')} run in this tab's own browser.`]
			: []),
		...(uses.some((use) => isOn(use['trace'])) ? ['Traces are not recorded in a browser tab.'] : []),
		...(uses.some((use) => isOn(use['video'])) ? ['Videos are not recorded in a browser tab.'] : [])
	];
}

const list = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat());
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const patterns = (value: unknown): RegExp[] =>
	list(value).map((each) => (each instanceof RegExp ? each : new RegExp(String(each))));

function record(value: unknown, what: string): Given {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is no object.`);
	return value as Given;
}

function below(folder: string, path: string): string {
	const parts: string[] = [];
	for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return `/${parts.join('/')}`;
}
