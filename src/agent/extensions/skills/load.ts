import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Instructions of the repository or the user for a kind of task, in a file that is read on demand. */
export interface Skill {
	/** Name of the skill, also used as `/name`. */
	name: string;
	/** Describes when to use the skill; always part of the prompt. */
	description: string;
	/** Absolute path of its SKILL.md; its other files are in the same directory. */
	path: string;
}

const FOLDERS = ['.agents/skills', '.claude/skills'];
const MAX_SKILLS = 100;
const MAX_DESCRIPTION_CHARACTERS = 1_024;

/** Folders of the repository that contain skills, as absolute paths. */
export const repositorySkillFolders = (environment: ExecutionEnvironment): string[] =>
	FOLDERS.map((folder) => `${environment.workingDirectory()}/${folder}`);

/**
 * Loads the skills in the given folders. Skips invalid files, and all but the first of several skills with the same
 * name.
 *
 * @param folders absolute paths
 */
export async function loadSkills(environment: ExecutionEnvironment, folders: readonly string[]): Promise<Skill[]> {
	const skills = new Map<string, Skill>();
	for (const root of folders) {
		const entries = await environment.listDirectory(root, 1).catch(() => []);
		for (const entry of entries.filter(({ kind }) => kind === 'directory').slice(0, MAX_SKILLS)) {
			const path = `${root}/${entry.path}/SKILL.md`;
			const text = await environment.readFile(path).catch(() => null);
			const skill = text === null ? null : describe(text, entry.path, path);
			if (skill && !skills.has(skill.name)) skills.set(skill.name, skill);
		}
	}
	return [...skills.values()];
}

/** Returns the text of a skill without its front matter. */
export async function readSkill(environment: ExecutionEnvironment, skill: Skill): Promise<string> {
	return split(await environment.readFile(skill.path)).body.trim();
}

function describe(text: string, folder: string, path: string): Skill | null {
	const { fields } = split(text);
	const name = (fields['name'] ?? folder).toLowerCase().replace(/[^a-z0-9_-]+/g, '-');
	const description = fields['description'] ?? '';
	return name && description ? { name, description: description.slice(0, MAX_DESCRIPTION_CHARACTERS), path } : null;
}

/** Splits off simple front matter: one `key: value` per line; indented lines continue the value. */
function split(text: string): { fields: Record<string, string>; body: string } {
	const match = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
	if (!match) return { fields: {}, body: text };
	const fields: Record<string, string> = {};
	let key = '';
	for (const line of (match[1] ?? '').split(/\r?\n/)) {
		const field = /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line);
		if (field) {
			key = (field[1] ?? '').toLowerCase();
			fields[key] = unquoted(/^[>|][+-]?$/.test(field[2] ?? '') ? '' : (field[2] ?? ''));
		} else if (key && /^\s+\S/.test(line)) fields[key] = `${fields[key] ?? ''} ${line.trim()}`.trim();
	}
	return { fields, body: match[2] ?? '' };
}

const unquoted = (value: string): string => /^(["'])([\s\S]*)\1$/.exec(value.trim())?.[2] ?? value.trim();
