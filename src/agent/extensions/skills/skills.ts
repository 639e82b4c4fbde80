import { z } from 'zod';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ContentPart } from '#llm/types.ts';
import { redactSecrets } from '../../guards/redaction.ts';
import { bind } from '../../profiles/bind.ts';
import type { Tool, ToolBinding } from '../../tool.ts';
import { ToolError } from '../../tools/result.ts';
import { loadSkills, readSkill, repositorySkillFolders, type Skill } from './load.ts';

const schema = z.object({ name: z.string().min(1).describe('The skill, as the prompt lists it.') });

/**
 * Skills of a session from its repository and its user: listed in the prompt, read through a tool, and available as
 * slash commands.
 */
export class Skills {
	#loaded: Promise<Skill[]> | undefined;

	/**
	 * @param fromRepository false omits the repository's skills, if it is not trusted
	 * @param userFolders absolute paths of folders with the user's own skills; the repository's skills take precedence
	 */
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly fromRepository: boolean,
		private readonly userFolders: readonly string[] = []
	) {}

	/** Returns the skills; loads them once, so that the prompt stays the same. */
	list(): Promise<Skill[]> {
		const repository = this.fromRepository ? repositorySkillFolders(this.environment) : [];
		return (this.#loaded ??= loadSkills(this.environment, [...repository, ...this.userFolders]));
	}

	/** Section of the system prompt; empty if there are no skills. */
	async section(): Promise<string> {
		const skills = await this.list();
		if (skills.length === 0) return '';
		const lines = skills.map(({ name, description }) => `- ${name}: ${redactSecrets(description)}`);
		return `# Skills\nThere are instructions for these. Before a task that one is for, read it with the skill tool.\n${lines.join('\n')}`;
	}

	/** Tool that reads a skill. */
	get tool(): ToolBinding {
		return bind(this.#tool, { name: 'skill', aliases: ['Skill'] });
	}

	/** List with the tool that reads skills; empty if there are none. */
	async tools(): Promise<ToolBinding[]> {
		return (await this.list()).length > 0 ? [this.tool] : [];
	}

	/** Replaces `/name words` by the skill's text followed by the words; any other input is unchanged. */
	async expand(input: ContentPart[]): Promise<ContentPart[]> {
		const [first, ...rest] = input;
		const command = first?.type === 'text' ? /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(first.text.trim()) : null;
		if (!command) return input;
		const skill = (await this.list()).find(({ name }) => name === command[1]?.toLowerCase());
		if (!skill) return input;
		const words = command[2]?.trim();
		const text = `Follow the skill ${skill.name}:\n\n${await this.#text(skill)}${words ? `\n\nArguments: ${words}` : ''}`;
		return [{ type: 'text', text }, ...rest];
	}

	readonly #tool: Tool<typeof schema> = {
		name: 'skill',
		description: 'Reads the instructions of one of the skills that the prompt lists.',
		schema,
		access: 'read',
		execute: async ({ name }) => {
			const skills = await this.list();
			const skill = skills.find((each) => each.name === name.toLowerCase());
			if (!skill)
				throw new ToolError(`There is no skill ${name}. There are: ${skills.map((each) => each.name).join(', ')}.`);
			return { content: await this.#text(skill), details: { skill: skill.name, path: skill.path }, isError: false };
		}
	};

	async #text(skill: Skill): Promise<string> {
		const folder = skill.path.replace(/\/SKILL\.md$/, '');
		const text = redactSecrets(await readSkill(this.environment, skill));
		return `<skill name="${skill.name}" folder="${folder}">\n${text}\n</skill>`;
	}
}
