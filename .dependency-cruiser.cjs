/** Arrows point one way: page → session, workspace → agent → llm, environment. */
const forbid = (name, from, to, comment) => ({
	name,
	severity: 'error',
	comment,
	from: { path: from },
	to: { path: to }
});

module.exports = {
	forbidden: [
		{
			// The shell's interpreter and a timeline inside a timeline are recursive by nature.
			name: 'no-cycles',
			severity: 'error',
			from: { path: '^(src|server)/', pathNot: '^src/(computer/shell|computer/coreutils/make|page/timeline)/' },
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }
		},
		forbid(
			'llm-knows-nobody',
			'^src/llm/',
			'^src/(agent|environment|workspace|session|page)/',
			'The model client stands alone.'
		),
		forbid(
			'environment-knows-nobody',
			'^src/environment/',
			'^src/(agent|llm|workspace|session|page)/',
			'Where tools run knows no agent.'
		),
		forbid(
			'agent-is-a-library',
			'^src/agent/',
			'^src/(workspace|session|page)/',
			'The loop declares what it needs; others implement it.'
		),
		forbid(
			'workspace-below-session',
			'^src/workspace/',
			'^src/(session|page)/',
			'session may import workspace, not the reverse.'
		),
		forbid('session-below-page', '^src/session/', '^src/page/', 'The page is on top.'),
		{
			name: 'server-takes-types-only',
			severity: 'error',
			from: { path: '^server/', pathNot: '^server/.*vite' },
			to: { path: '^src/', dependencyTypesNot: ['type-only'] }
		},
		forbid('source-without-tests', '^(src|server)/', '^test/', 'The product does not lean on its tests.')
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.svelte'] }
	}
};
