import { expect, it } from 'vitest';
import { InDirectory } from '#agent/in-directory.ts';
import { projectInstructions } from '#agent/prompt/project-instructions.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { temporaryEnvironment } from '../fake-session.ts';

const HEADING = '# Instructions of this project\nWhere they disagree, the later ones hold.\n\n';
const LIMIT = 32 * 1024;

async function project(files: Record<string, string>) {
	const environment = await temporaryEnvironment();
	for (const [path, text] of Object.entries(files)) await environment.writeFile(path, text);
	const here = environment.workingDirectory();
	return {
		environment,
		here,
		read: async (root: string | null = null, names = ['CLAUDE.md']) =>
			(await projectInstructions(environment, root, names)).text
	};
}

it('are nothing where the project has none, or only empty ones', async () => {
	expect(await (await project({})).read()).toBe('');
	expect(await (await project({ 'AGENTS.md': ' \n' })).read()).toBe('');
});

it('are AGENTS.md and the files of the profile, each under its path', async () => {
	const { read, here } = await project({ 'AGENTS.md': '\nUse tabs.\n', 'CLAUDE.md': 'Be brief.', 'GEMINI.md': 'No.' });
	expect(await read()).toBe(`${HEADING}## ${here}/AGENTS.md\nUse tabs.\n\n## ${here}/CLAUDE.md\nBe brief.`);
	expect(await read(here, [])).toBe(`${HEADING}## ${here}/AGENTS.md\nUse tabs.`);
});

it('come from the root down to the working directory, the deepest last', async () => {
	const outer = await project({
		'AGENTS.md': 'Top.',
		'a/AGENTS.md': 'Middle.',
		'a/b/CLAUDE.md': 'Deep.',
		'c/AGENTS.md': 'Aside.'
	});
	const environment = new InDirectory(outer.environment, 'a/b');
	const { text, paths } = await projectInstructions(environment, outer.here, ['CLAUDE.md']);
	expect(paths).toEqual(['AGENTS.md', 'a/AGENTS.md', 'a/b/CLAUDE.md'].map((path) => `${outer.here}/${path}`));
	expect(text).toBe(
		`${HEADING}## ${outer.here}/AGENTS.md\nTop.\n\n## ${outer.here}/a/AGENTS.md\nMiddle.\n\n## ${outer.here}/a/b/CLAUDE.md\nDeep.`
	);
	expect(await projectInstructions(environment, null, ['CLAUDE.md'])).toEqual({
		text: `${HEADING}## ${outer.here}/a/b/CLAUDE.md\nDeep.`,
		paths: [`${outer.here}/a/b/CLAUDE.md`]
	});
});

it.each([
	['/', '/', ['/AGENTS.md']],
	['/', null, ['/AGENTS.md']],
	['/a/b', '/', ['/AGENTS.md', '/a/AGENTS.md', '/a/b/AGENTS.md']],
	['/a', '/a', ['/a/AGENTS.md']]
])('are looked for once in each directory: in %s of a repository in %s', async (working, root, paths) => {
	const environment = {
		workingDirectory: () => working,
		readFile: async () => 'Use tabs.'
	} as unknown as ExecutionEnvironment;
	expect((await projectInstructions(environment, root, [])).paths).toEqual(paths);
});

it('end after 32 KB of all files together, between two characters, and say so', async () => {
	const whole = await project({ 'AGENTS.md': 'x'.repeat(LIMIT) });
	expect(await whole.read()).not.toContain('truncated');
	const long = await project({ 'AGENTS.md': 'x'.repeat(LIMIT - 4), 'CLAUDE.md': 'äöü' });
	const text = await long.read();
	expect(text.endsWith(`## ${long.here}/CLAUDE.md\näö\n[Project instructions truncated at 32KB]`)).toBe(true);
	const marked = await project({ 'AGENTS.md': `a\ufffdb${'x'.repeat(LIMIT)}` });
	expect(await marked.read()).toContain('a\ufffdbxx');
	const cut = await project({ 'AGENTS.md': 'x'.repeat(LIMIT - 3), 'CLAUDE.md': 'äöü' });
	expect(await cut.read()).toMatch(/CLAUDE\.md\nä\n\[Project instructions truncated at 32KB\]$/);
});
