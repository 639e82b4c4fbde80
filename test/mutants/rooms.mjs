/**
 * The source files that `npm run mutants` changes, by room, each with the tests that must notice. Narrow on purpose:
 * every mutant starts these tests again. Tests of real processes and random histories are excluded. A fault that only
 * an excluded test would notice counts as survived, so the table never flatters.
 *
 * @typedef {{ files: string, tests: string[] }} Area pattern of source files and patterns of test files
 */

/**
 * Tests that never run for mutants, even if they have the name of a source: they start containers and pods, take
 * minutes each on a busy machine, and one that fails before the first mutant ends the whole sample.
 */
export const REAL_MACHINES = [
	'test/server/machines/{docker,kubernetes,build-there,https-there,hostile,gnu-image}.test.ts'
];

/** @type {Record<string, Area[]>} */
export const ROOMS = {
	agent: [
		{ files: 'src/agent/loop/*.ts', tests: ['test/agent/loop/*.test.ts'] },
		{ files: 'src/agent/guards/*.ts', tests: ['test/agent/guards/!(attacks).test.ts'] },
		{ files: 'src/agent/tools/apply-patch/*.ts', tests: ['test/agent/tools/{apply-patch/*,local}.test.ts'] },
		{
			files: 'src/agent/tools/**/*.ts',
			tests: ['test/agent/tools/*.test.ts', 'test/agent/profiles/*.test.ts', 'test/agent/{subagents,code-mode}.test.ts']
		},
		{ files: 'src/agent/prompt/*.ts', tests: ['test/agent/prompt/!(own-git).test.ts'] },
		{ files: 'src/agent/profiles/*.ts', tests: ['test/agent/profiles/*.test.ts'] },
		{
			files: 'src/agent/{compaction,compaction-text,compacted}.ts',
			tests: ['test/agent/{compact*,context-overflow}.test.ts']
		},
		{ files: 'src/agent/extensions/project-hooks/*.ts', tests: ['test/agent/extensions/project-hooks.test.ts'] },
		{
			files: 'src/agent/extensions/{mcp,skills,web}/*.ts',
			tests: ['test/agent/extensions/!(project-hooks).test.ts']
		},
		{
			files: 'src/agent/{code-mode,diagnostics}/*.ts',
			tests: ['test/agent/{code-mode,diagnostics}.test.ts', 'test/agent/{code-mode,diagnostics}/*.test.ts']
		},
		{ files: 'src/agent/hooks.ts', tests: ['test/agent/hooks.test.ts'] },
		{
			files: 'src/agent/{session,session-runs,session-tool-calls}.ts',
			tests: ['test/agent/{extensions/{project-hooks,skills,switched-off},loop/reminders,waiting}.test.ts']
		},
		{ files: 'src/agent/*.ts', tests: ['test/agent/!(parity|faults|waiting|code-mode|session.property).test.ts'] }
	],
	llm: [
		{ files: 'src/llm/adapters/**/*.ts', tests: ['test/llm/{adapters/**/*,client,object}.test.ts'] },
		{ files: 'src/llm/{history,scenario}/*.ts', tests: ['test/llm/{history,scenario,adapters}/*.test.ts'] },
		{ files: 'src/llm/**/*.ts', tests: ['test/llm/*.test.ts', 'test/llm/adapters/*.test.ts'] }
	],
	session: [
		{ files: 'src/session/share/*.ts', tests: ['test/session/share/*.test.ts'] },
		{ files: 'src/session/storage/*.ts', tests: ['test/session/storage/*.test.ts'] },
		{ files: 'src/session/**/*.ts', tests: ['test/session/**/!(histories|replays).test.ts'] }
	],
	workspace: [
		{ files: 'src/workspace/import/*.ts', tests: ['test/workspace/import/!(hostile-import).test.ts'] },
		{
			files: 'src/workspace/**/*.ts',
			tests: ['test/workspace/!(large-tree).test.ts', 'test/workspace/{publish,repository}/*.test.ts']
		}
	],
	server: [
		{
			files: 'server/configuration/*.ts',
			tests: ['test/server/{configuration,settings}.test.ts', 'test/server/configuration/*.test.ts']
		},
		{ files: 'server/outbound/*.ts', tests: ['test/server/outbound.test.ts', 'test/server/outbound/*.test.ts'] },
		{ files: 'server/spending/*.ts', tests: ['test/server/spending/*.test.ts'] },
		{ files: 'server/limits/*.ts', tests: ['test/server/limits/*.test.ts'] },
		{
			files: 'server/machines/**/*.ts',
			tests: ['test/server/machines/*.test.ts', 'test/server/machines/kubernetes/*.test.ts']
		},
		{ files: 'server/llm/*.ts', tests: ['test/server/llm/*.test.ts', 'test/server/{llm,refusals}.test.ts'] },
		{
			files: 'server/{proxy,github}/*.ts',
			tests: ['test/server/proxy/*.test.ts', 'test/server/{git,github,outbound}.test.ts']
		},
		{ files: 'server/shares/*.ts', tests: ['test/server/shares/*.test.ts', 'test/server/shares.test.ts'] },
		{
			files: 'server/{page,preview}/*.ts',
			tests: [
				'test/server/{page,preview}/*.test.ts',
				'test/server/{page,preview}.test.ts',
				'test/server/deploy/static-site.test.ts'
			]
		},
		{ files: 'server/*.ts', tests: ['test/server/*.test.ts'] }
	],
	/**
	 * Code that confines the programs of the sandbox: rights, limits, paths, host permissions, parsers of their
	 * messages.
	 */
	guards: [
		{
			files: 'src/computer/{abi/{arguments,call-names,limits,paths},kernel/rights/*,kernel/processes/start-queue}.ts',
			tests: ['test/computer/{kernel,abi}/*.test.ts']
		},
		{
			files: 'src/computer/volume/{load,lookup,permissions}.ts',
			tests: ['test/computer/kernel/*.test.ts', 'test/computer/git/hostile-tree.test.ts']
		},
		{
			files: 'src/computer/{git/{hooks,worktree/verify-path},coreutils/archives/extraction}.ts',
			tests: ['test/computer/git/{hooks,hostile-tree,baseline}.test.ts', 'test/computer/shell/*archives*.test.ts']
		},
		{
			files: 'src/computer/{frame/headers,host/{parse,results},kernel/detached/log-replay,process/native-globals}.ts',
			tests: ['test/computer/{kernel/*,page/*,native-globals}.test.ts', 'test/server/page.test.ts']
		}
	]
};
