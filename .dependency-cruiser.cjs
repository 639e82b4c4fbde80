/** Arrows point one way: page → session, workspace → agent → llm, environment ← computer. */
const forbid = (name, from, to, comment) => ({
	name,
	severity: 'error',
	comment,
	from: { path: from },
	to: { path: to }
});

/**
 * What each room of the computer in the tab may import of the others, beside itself and the environment's contract.
 * Types count too. A program is bundled by itself: what it imports, it carries.
 */
const COMPUTER = {
	abi: [],
	volume: ['abi'],
	process: ['abi', 'volume'],
	'local-time': [],
	kernel: ['abi', 'volume', 'http'],
	frame: ['abi'],
	host: ['abi', 'frame', 'http'],
	http: ['abi'],
	terminal: ['abi', 'process'],
	wasi: ['abi', 'process'],
	// The utilities are commands of the shell's own process and take its streams, variables and jobs.
	shell: ['abi', 'process', 'terminal', 'coreutils', 'local-time'],
	coreutils: ['abi', 'process', 'terminal', 'shell', 'local-time'],
	git: ['abi', 'process', 'local-time'],
	node: ['abi', 'process', 'http', 'terminal', 'wasi', 'local-time'],
	npm: ['abi', 'process'],
	python: ['abi', 'process', 'terminal', 'local-time'],
	search: ['abi', 'process', 'wasi'],
	jq: ['abi', 'process'],
	'test-runners': ['abi', 'process', 'node'],
	typescript: ['abi', 'process'],
	esbuild: ['abi', 'process'],
	pdf: ['abi', 'process']
};

/** Text that the kernel hands to a process without shared memory, and the globals that every bundle begins with. */
const CARRIED = ['process/detached/client\\.ts', 'build/shims/'];

const walls = Object.entries(COMPUTER).map(([room, may]) => ({
	name: `computer-${room}`,
	severity: 'error',
	comment: `computer/${room} imports nothing of the computer but ${[room, ...may].join(', ')}.`,
	from: { path: `^src/computer/${room}/`, pathNot: '^src/computer/host/(environment|shipping)\\.ts$' },
	to: { path: '^src/computer/', pathNot: `^src/computer/(((${[room, ...may].join('|')})/)|${CARRIED.join('|')})` }
}));

module.exports = {
	forbidden: [
		{
			// The shell's interpreter and a timeline inside a timeline are recursive by nature.
			name: 'no-cycles',
			severity: 'error',
			from: { path: '^(src|server)/', pathNot: '^src/(computer/shell|page/timeline)/' },
			to: { circular: true }
		},
		forbid(
			'llm-knows-nobody',
			'^src/llm/',
			'^src/(agent|computer|environment|workspace|session|page)/',
			'The model client stands alone.'
		),
		forbid(
			'environment-knows-nobody',
			'^src/environment/',
			'^src/(agent|computer|llm|workspace|session|page)/',
			'Where tools run knows no agent.'
		),
		forbid(
			'computer-is-an-environment',
			'^src/computer/',
			'^src/(agent|llm|workspace|session|page)/',
			'The computer in the tab implements the contract of environments and knows nothing of what uses it.'
		),
		forbid(
			'agent-is-a-library',
			'^src/agent/',
			'^src/(computer|workspace|session|page)/',
			'The loop declares what it needs; others implement it.'
		),
		forbid(
			'workspace-below-session',
			'^src/workspace/',
			'^src/(session|page)/',
			'session may import workspace, not the reverse.'
		),
		forbid('session-below-page', '^src/session/', '^src/page/', 'The page is on top.'),
		forbid('cli-is-on-top', '^(src/(?!cli/)|server/)', '^src/cli/', 'Nothing imports the command line.'),
		forbid('cli-without-page', '^src/cli/', '^(src/(page|computer)|server)/', 'The command line runs in Node.'),
		{
			name: 'server-takes-types-only',
			severity: 'error',
			comment: 'Machines are environments, and are served with the machine side of their protocol.',
			from: { path: '^server/', pathNot: '^server/(.*vite|machines/)' },
			to: { path: '^src/', dependencyTypesNot: ['type-only'] }
		},
		{
			name: 'machines-are-environments',
			severity: 'error',
			from: { path: '^server/machines/' },
			to: { path: '^src/(?!environment/)' }
		},
		forbid(
			'abi-imports-nothing',
			'^src/computer/abi/',
			'^src/(?!computer/abi/|environment/contract\\.ts$)',
			'Types and constants that cross a realm import nothing but the contract of environments.'
		),
		...walls,
		forbid('source-without-tests', '^(src|server)/', '^test/', 'The product does not lean on its tests.')
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.svelte'] }
	}
};
