import { describe, expect, it } from 'vitest';
import { loadSkills, readSkill, repositorySkillFolders } from '#agent/extensions/skills/load.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';

/** An environment with skill files, by absolute path. */
function withFiles(files: Record<string, string>): ExecutionEnvironment {
	return {
		workingDirectory: () => '/work',
		readFile: (path: string) => (path in files ? Promise.resolve(files[path]) : Promise.reject(new Error('ENOENT'))),
		listDirectory: (root: string) => {
			const names = Object.keys(files).flatMap((path) =>
				path.startsWith(`${root}/`) ? [path.slice(root.length + 1).split('/')[0] ?? ''] : []
			);
			if (names.length === 0) return Promise.reject(new Error('ENOENT'));
			return Promise.resolve(
				[...new Set(names)].map((path) => ({ path, kind: path.includes('.') ? 'file' : 'directory', size: 0 }))
			);
		}
	} as unknown as ExecutionEnvironment;
}

const one = async (text: string, folder = 'folder') => {
	const [skill] = await loadSkills(withFiles({ [`/s/${folder}/SKILL.md`]: text }), ['/s']);
	return skill && { name: skill.name, description: skill.description };
};
const front = (...lines: string[]): string => ['---', ...lines, '---', 'Body'].join('\n');

describe('a skill', () => {
	it.each([
		[
			'its fields',
			front('name: review', 'description: Looks at code.'),
			{ name: 'review', description: 'Looks at code.' }
		],
		['its folder for a name', front('description: Looks.'), { name: 'folder', description: 'Looks.' }],
		[
			'a name that a command can have',
			front('name: My Skill (v2)!', 'description: D'),
			{ name: 'my-skill-v2-', description: 'D' }
		],
		['fields in any case', front('Name: a', 'DESCRIPTION: D'), { name: 'a', description: 'D' }],
		['a value in quotes', front('name: "a"', "description: 'It''s: so'"), { name: 'a', description: "It''s: so" }],
		['a quote within', front('name: a', 'description: say "hi"'), { name: 'a', description: 'say "hi"' }],
		[
			'a value that goes on',
			front('description: One', '  two', '\tthree  ', 'name: a'),
			{ name: 'a', description: 'One two three' }
		],
		['a folded value', front('description: >', '  One', '  two', 'name: a'), { name: 'a', description: 'One two' }],
		[
			'a value kept by lines',
			front('description: |-', '  One', '  two', 'name: a'),
			{ name: 'a', description: 'One two' }
		],
		['a value that only looks folded', front('description: > One', 'name: a'), { name: 'a', description: '> One' }],
		[
			'lists and empty lines, which are skipped',
			front('description: D', '', '- x', 'tools: [a]', 'name: a'),
			{ name: 'a', description: 'D' }
		],
		['an indented line before any field', front('  x', 'description: D'), { name: 'folder', description: 'D' }],
		['carriage returns', front('name: a', 'description: D').replaceAll('\n', '\r\n'), { name: 'a', description: 'D' }],
		[
			'a byte order mark and spaces behind the end',
			`\ufeff---\ndescription: D\n---  \n`,
			{ name: 'folder', description: 'D' }
		],
		['nothing below', '---\ndescription: D\n---', { name: 'folder', description: 'D' }],
		['no description', front('name: a'), undefined],
		['no front matter', 'description: D', undefined],
		['front matter that does not end', '---\ndescription: D\n', undefined],
		['front matter below something else', `x\n${front('description: D')}`, undefined],
		['a key that is none', front('5name: a', 'description: D'), { name: 'folder', description: 'D' }],
		['spaces around a value', front('name:   a  ', 'description:D'), { name: 'a', description: 'D' }]
	])('is known by %s', async (_, text, skill) => {
		expect(await one(text)).toEqual(skill);
	});

	it('has 1,024 characters of description', async () => {
		expect((await one(front(`description: ${'x'.repeat(1_025)}`)))?.description).toBe('x'.repeat(1_024));
	});

	it('is read without its front matter', async () => {
		const environment = withFiles({
			'/s/a/SKILL.md': `${front('description: D')}\n\nmore\n\n`,
			'/s/b/SKILL.md': ' Plain. '
		});
		const read = (name: string) => readSkill(environment, { name, description: '', path: `/s/${name}/SKILL.md` });
		expect(await read('a')).toBe('Body\n\nmore');
		expect(await read('b')).toBe('Plain.');
	});
});

describe('the skills of folders', () => {
	it('are those of the repository, in two places', () => {
		expect(repositorySkillFolders(withFiles({}))).toEqual(['/work/.agents/skills', '/work/.claude/skills']);
	});

	it('are each the first of its name, and folders that are not there have none', async () => {
		const text = (description: string): string => front('name: same', `description: ${description}`);
		const environment = withFiles({
			'/one/a/SKILL.md': text('First'),
			'/one/b/SKILL.md': text('Second'),
			'/one/c/OTHER.md': text('No skill'),
			'/one/d.md': text('No folder'),
			'/two/e/SKILL.md': text('Third'),
			'/two/f/SKILL.md': front('description: Other')
		});
		expect(await loadSkills(environment, ['/none', '/one', '/two'])).toEqual([
			{ name: 'same', description: 'First', path: '/one/a/SKILL.md' },
			{ name: 'f', description: 'Other', path: '/two/f/SKILL.md' }
		]);
	});

	it('are a hundred of each folder', async () => {
		const files = Object.fromEntries(
			Array.from({ length: 101 }, (_, index) => [`/s/s${index}/SKILL.md`, front('description: D')])
		);
		expect(await loadSkills(withFiles(files), ['/s'])).toHaveLength(100);
	});
});
