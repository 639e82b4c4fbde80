import type { ToolChoice } from './api.ts';
import { checkActiveTools } from './tools/presets.ts';
import { webFetch } from './extensions/web/web-fetch.ts';
import type { Skills } from './extensions/skills/skills.ts';
import type { SessionParts } from './session-parts.ts';
import type { ToolBinding } from './tool.ts';

/** Manages which tools the session's model sees. */
export class ActiveTools {
	/** `null`: all tools. */
	#names: readonly string[] | null = null;
	#cached: { key: string; given: ToolBinding[] | undefined; bindings: ToolBinding[] } | null = null;

	constructor(
		private readonly session: Pick<SessionParts, 'parent' | 'profile' | 'mode' | 'root' | 'options'>,
		private readonly skills: Skills
	) {}

	/** Chosen names; a subagent uses the choice of the agent that started it. */
	get names(): readonly string[] | null {
		return this.#names ?? this.session.parent?.session.activeTools ?? null;
	}

	/**
	 * Chooses the tools shown to the model from the next request on.
	 *
	 * @param names the model's names or neutral names; `null`: all
	 * @throws TypeError for an empty list, and for an unknown name
	 */
	choose(names: readonly string[] | null): void {
		// The skill tool may be chosen before the skills are loaded.
		const all = [...this.#all(), this.skills.tool];
		if (names) checkActiveTools(names, (name) => all.some((binding) => hasName(binding, name)));
		this.#names = names && [...names];
	}

	/** Converts the choice to neutral names, which all profiles share, before the profile changes. */
	useNeutralNames(): void {
		const all = this.#all();
		this.#names &&= this.#names.flatMap((name) => {
			const same = all.filter((binding) => hasName(binding, name)).map(({ tool }) => tool.name);
			return same.length > 0 ? same : [name];
		});
	}

	/** All available tools, one per neutral name. */
	get choices(): ToolChoice[] {
		const byName = new Map<string, ToolChoice>();
		for (const { definition, tool } of this.#all())
			if (!byName.has(tool.name))
				byName.set(tool.name, { name: tool.name, label: definition.name, description: definition.description });
		return [...byName.values()];
	}

	/** Returns the current bindings; the same array as long as nothing changed. */
	async bindings(): Promise<ToolBinding[]> {
		const { names } = this;
		const { profile, mode, root } = this.session;
		const { tools: given, withoutTools = [] } = root.options;
		const key = JSON.stringify([profile.id, profile.model, names, withoutTools, mode === 'plan']);
		if (this.#cached?.key === key && this.#cached.given === given) return this.#cached.bindings;
		const bindings = [...this.#all(), ...(await this.skills.tools())].filter((binding) => {
			const { tool } = binding;
			if (mode === 'plan' && tool.access === 'write' && !tool.guardsItself) return false;
			if (withoutTools.some((name) => hasName(binding, name))) return false;
			return !names || names.some((name) => hasName(binding, name));
		});
		this.#cached = { key, given, bindings };
		return bindings;
	}

	#all(): ToolBinding[] {
		const { profile, options, root } = this.session;
		const web = options.fetchPage ? [webFetch(options.fetchPage, profile.id)] : [];
		// A host may change its own tools while subagents work.
		return [...profile.tools, ...web, ...(root.options.tools ?? [])];
	}
}

function hasName({ definition, tool, aliases = [] }: ToolBinding, name: string): boolean {
	return definition.name === name || tool.name === name || aliases.includes(name);
}
