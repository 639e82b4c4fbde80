import { z } from 'zod';
import { type Alias, jestAliases, viteAliases } from './alias.ts';
import type { Tool } from './tool.ts';

const list = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

/** Supported settings of `test` in vitest's configuration; {@link unhonoured} names the others. */
const vitestShape = z.object({
	include: list.optional().catch(undefined),
	exclude: list.optional().catch(undefined),
	globals: z.boolean().optional().catch(undefined),
	setupFiles: list.optional().catch(undefined),
	environment: z.string().optional().catch(undefined),
	testTimeout: z.number().optional().catch(undefined),
	passWithNoTests: z.boolean().optional().catch(undefined)
});

const jestShape = z.object({
	testMatch: list.optional().catch(undefined),
	setupFiles: list.optional().catch(undefined),
	setupFilesAfterEnv: list.optional().catch(undefined),
	testEnvironment: z.string().optional().catch(undefined),
	testTimeout: z.number().optional().catch(undefined),
	moduleNameMapper: z
		.record(z.string(), z.union([z.string(), z.array(z.string())]))
		.optional()
		.catch(undefined),
	moduleDirectories: list.optional().catch(undefined),
	modulePaths: list.optional().catch(undefined)
});

/** Settings for the tests of one project. */
export interface Settings {
	include: string[];
	exclude: string[];
	globals: boolean;
	setupFiles: string[];
	environment: string;
	testTimeoutMs: number;
	passWithNoTests: boolean;
	/** Runs only tests whose full name matches. */
	namePattern: string | null;
	snapshots: 'new' | 'all' | 'none';
	aliases: Alias[];
	/** Directories in which packages may be, besides `node_modules`. */
	directories: string[];
	/** Set if TypeScript's `paths` apply. */
	tsconfigPaths: boolean;
	/** Global constants: `define`. */
	define: Record<string, unknown>;
}

export function defaultSettings(tool: Tool): Settings {
	return {
		include: tool.include,
		exclude: ['**/node_modules/**', '**/dist/**', '**/.git/**'],
		globals: tool.globals,
		setupFiles: [],
		environment: 'node',
		testTimeoutMs: 5000,
		passWithNoTests: false,
		namePattern: null,
		snapshots: 'new',
		aliases: [],
		directories: [],
		tsconfigPaths: false,
		define: {}
	};
}

/** @param config exports of the project's configuration file, or the `jest` field of package.json */
export function readSettings(tool: Tool, config: unknown): Settings {
	const settings = defaultSettings(tool);
	if (tool.name === 'vitest') {
		const found = vitestShape.safeParse(Reflect.get(Object(config), 'test') ?? {});
		if (!found.success) return settings;
		const { testTimeout, ...rest } = found.data;
		const resolve = field(config, 'resolve');
		const plugins = z.array(z.unknown()).catch([]).parse(field(config, 'plugins'));
		const project = {
			aliases: [...viteAliases(field(field(config, 'test'), 'alias')), ...viteAliases(field(resolve, 'alias'))],
			tsconfigPaths:
				field(resolve, 'tsconfigPaths') === true ||
				plugins.flat(3).some((plugin) => /tsconfig-?paths/i.test(String(field(plugin, 'name')))),
			define: z.record(z.string(), z.unknown()).catch({}).parse(field(config, 'define'))
		};
		const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
		return { ...settings, ...given, ...project, testTimeoutMs: testTimeout ?? settings.testTimeoutMs };
	}
	const found = jestShape.safeParse(config ?? {});
	if (!found.success) return settings;
	const { testMatch, setupFiles = [], setupFilesAfterEnv = [], testEnvironment, testTimeout } = found.data;
	const { moduleNameMapper = {}, moduleDirectories = [], modulePaths = [] } = found.data;
	const inRoot = (path: string) => path.replace(/^<rootDir>\//, './');
	return {
		...settings,
		include: testMatch?.map((pattern) => pattern.replace(/^<rootDir>\//, '')) ?? settings.include,
		setupFiles: [...setupFiles, ...setupFilesAfterEnv].map(inRoot),
		environment: testEnvironment ?? settings.environment,
		testTimeoutMs: testTimeout ?? settings.testTimeoutMs,
		aliases: jestAliases(moduleNameMapper),
		directories: [...moduleDirectories, ...modulePaths].filter((name) => name !== 'node_modules').map(inRoot)
	};
}

/** Keys that only affect reporting and speed, not the behavior of a test. */
const WITHOUT_EFFECT: Record<Tool['name'], RegExp> = {
	vitest:
		/^(api|benchmark|cache|coverage|css|fileParallelism|m(ax|in)Workers|name|open|outputFile|pool|poolOptions|reporters|silent|typecheck|ui|watch)$/,
	jest: /^(\$schema|bail|cache|cacheDirectory|collectCoverage.*|coverage.*|displayName|maxWorkers|notify.*|reporters|silent|verbose|watch.*|workerThreads)$/
};

/** Keys of a configuration that tests may depend on but that are not supported here, sorted. */
export function unhonoured(tool: Tool, config: unknown): string[] {
	const isVitest = tool.name === 'vitest';
	const honoured = [...Object.keys((isVitest ? vitestShape : jestShape).shape), ...(isVitest ? ['alias'] : [])];
	const given = z
		.record(z.string(), z.unknown())
		.catch({})
		.parse(isVitest ? field(config, 'test') : config);
	return Object.entries(given)
		.filter(([key, value]) => value !== null && !honoured.includes(key) && !WITHOUT_EFFECT[tool.name].test(key))
		.map(([key]) => key)
		.sort();
}

const field = (holder: unknown, name: string): unknown => Reflect.get(Object(holder), name) ?? {};
