import { z } from 'zod';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ContentPart } from '#llm/types.ts';
import { redactSecrets } from '../../guards/redaction.ts';
import { bind } from '../../profiles/bind.ts';
import type { Tool, ToolBinding } from '../../tool.ts';
import { ToolError } from '../../tools/result.ts';
import { loadSkills, readSkill, type Skill } from './load.ts';

const schema = z.object({ name: z.string().min(1).describe('The skill, as the prompt lists it.') });

/** The skills of a session's repository: in the prompt by name, through a tool, and as slash commands. */
export class Skills {
	#loaded: Promise<Skill[]> | undefined;

	/** @param enabled false disables skills; set for repositories that are not trusted */
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly enabled: boolean
	) {}

	/** Taken once, when they are first needed, so that the prompt stays the same. */
	list(): Promise<Skill[]> {
		if (!this.enabled) return Promise.resolve([]);
		return (this.#loaded ??= loadSkills(this.environment));
	}

	/** Section of the system prompt; empty if there are no skills. */
	async section(): Promise<string> {
		const skills = await this.list();
		if (skills.length === 0) return '';
		const lines = skills.map(({ name, description }) => `- ${name}: ${redactSecrets(description)}`);
		return `# Skills\nThe repository teaches these. Before a task that one is for, read it with the skill tool.\n${lines.join('\n')}`;
	}

	/** The tool that reads one. */
	get tool(): ToolBinding {
		return bind(this.#tool, { name: 'skill', aliases: ['Skill'] });
	}

	/** The tool that reads skills; empty if there are none. */
	async tools(): Promise<ToolBinding[]> {
		return (await this.list()).length > 0 ? [this.tool] : [];
	}

	/** `/name words` becomes the skill's text with the words behind it; anything else stays as it is. */
	async expand(input: ContentPart[]): Promise<ContentPart[]> {
		const [first, ...rest] = input;
		const command = first?.type === 'text' ? /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(first.text.trim()) : null;
		if (!command) return input;
		const skill = (await this.list()).find(({ name }) => name === command[1]?.toLowerCase());
		if (!skill) return input;
		const words = command[2]?.trim();
		const text = `Follow the skill ${skill.name}:\n\n${await this.#text(skill)}${words ? `\n\nWhat it is to be done with: ${words}` : ''}`;
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
