import type { Project } from './project.ts';
import type { ProjectResult } from './measure.ts';

/** Last measured row of one project. */
export type Row = Pick<ProjectResult, 'repository' | 'commit' | 'native' | 'same' | 'installed' | 'ended' | 'steps'> & {
	red: number;
	missing: number;
	milliseconds?: ProjectResult['milliseconds'] | undefined;
	date: string;
};

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

/** `docs/projects.md`. */
export function projectTable(rows: Row[], projects: Project[]): string {
	const sum = (field: 'native' | 'same' | 'red' | 'missing') => rows.reduce((total, row) => total + row[field], 0);
	const reason = (repository: string) => projects.find((one) => one.repository === repository)?.differences ?? '';
	const lines = rows.map((row) => {
		const notes = [
			row.installed ? '' : 'Its packages were copied: they were not installed here.',
			row.ended ? '' : 'Its tests met the time limit.',
			...row.steps.map(
				({ name, native, here }) => `${name}: exit code ${here ?? 'none'} instead of ${native ?? 'none'}.`
			),
			reason(row.repository)
		].filter((note) => note !== '');
		const { repository, commit, native, same, red, missing, milliseconds, date } = row;
		const took = milliseconds ? `${seconds(milliseconds.native)} / ${seconds(milliseconds.here)}` : '';
		return `| ${repository} ${commit.slice(0, 7)} | ${native} | ${same} | ${red} | ${missing} | ${took} | ${date} | ${notes.join(' ')} |`;
	});
	return `# Real projects

Written by \`npm run soak projects [name…]\`: public repositories with their own tests, run natively and in the sandbox in the same run, and compared test by test. \`SANDGLASS_PROJECTS\` names a folder of clones (\`owner/name\`) to use; \`SANDGLASS_NATIVE_NODE\` a Node of the sandbox's version, \`SANDGLASS_NATIVE_PYTHON\` a Python. The seconds are of one run of the tests on a machine that others may use, the start of the runner included.

| project | pass natively | of these pass here | fail here | without a verdict here | seconds natively / here | measured | notes |
| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |
${lines.join('\n')}
| **together** | ${sum('native')} | ${sum('same')} | ${sum('red')} | ${sum('missing')} | | | |
`;
}
