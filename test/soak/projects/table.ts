import type { Project } from './manifest.ts';
import type { ProjectResult } from './measure.ts';

/** One project's row as it was measured last. */
export type Row = Pick<ProjectResult, 'repository' | 'commit' | 'native' | 'same' | 'installed' | 'ended' | 'steps'> & {
	red: number;
	missing: number;
	date: string;
};

/** `docs/projects.md`. */
export function projectTable(rows: Row[], projects: Project[]): string {
	const sum = (field: 'native' | 'same' | 'red' | 'missing') => rows.reduce((total, row) => total + row[field], 0);
	const reason = (repository: string) => projects.find((one) => one.repository === repository)?.differences ?? '';
	const lines = rows.map((row) => {
		const notes = [
			row.installed ? '' : 'Its packages were copied: npm here did not install them.',
			row.ended ? '' : 'Its tests met the time limit.',
			...row.steps.map(
				({ name, native, here }) => `${name}: exit code ${here ?? 'none'} instead of ${native ?? 'none'}.`
			),
			reason(row.repository)
		].filter((note) => note !== '');
		const { repository, commit, native, same, red, missing, date } = row;
		return `| ${repository} ${commit.slice(0, 7)} | ${native} | ${same} | ${red} | ${missing} | ${date} | ${notes.join(' ')} |`;
	});
	return `# Real projects

Written by \`npm run soak projects [name…]\`: public repositories with their own tests, run natively and in the sandbox in the same run, and compared test by test. \`SANDGLASS_PROJECTS\` names a folder of clones (\`owner/name\`) to use; \`SANDGLASS_NATIVE_NODE\` a Node of the sandbox's version.

| project | pass natively | of these pass here | fail here | without a verdict here | measured | notes |
| --- | ---: | ---: | ---: | ---: | --- | --- |
${lines.join('\n')}
| **together** | ${sum('native')} | ${sum('same')} | ${sum('red')} | ${sum('missing')} | | |
`;
}
