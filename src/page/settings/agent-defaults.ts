import * as z from 'zod/mini';
import { readStored, writeStored } from './stored.ts';

export const MOST_INSTRUCTIONS = 20_000;

/** Settings for the agents of all projects in this browser. */
export const AgentDefaults = z.object({
	/** The user's own instructions, last in every prompt. */
	instructions: z.string().check(z.maxLength(MOST_INSTRUCTIONS)),
	/** Lets a model name sessions, which costs one request each. */
	modelTitles: z.boolean(),
	/** Maximum size of a command's output for the model; `null`: the default of its tools. */
	outputCharacters: z.nullable(z.int().check(z.minimum(1_000), z.maximum(1_000_000))),
	outputLines: z.nullable(z.int().check(z.minimum(10), z.maximum(100_000)))
});
export type AgentDefaults = z.infer<typeof AgentDefaults>;

const STORED = 'sandglass:agent';
const UNSET: AgentDefaults = { instructions: '', modelTitles: false, outputCharacters: null, outputLines: null };
/** Neutral names of the tools that output what a command prints. */
const COMMAND_TOOLS = ['shell', 'shell_input'];

class KeptDefaults {
	readonly #listeners = new Set<() => void>();

	get now(): AgentDefaults {
		return readStored(localStorage, STORED, AgentDefaults) ?? UNSET;
	}

	/** @returns false if a value is invalid; nothing is changed then */
	change(change: Partial<AgentDefaults>): boolean {
		const next = z.safeParse(AgentDefaults, { ...this.now, ...change });
		if (!next.success) return false;
		writeStored(localStorage, STORED, next.data);
		for (const listener of [...this.#listeners]) listener();
		return true;
	}

	/** Converts the settings to a session's options. */
	get forSession() {
		const { instructions, outputCharacters, outputLines } = this.now;
		const forCommands = (most: number | null): Record<string, number> =>
			most === null ? {} : Object.fromEntries(COMMAND_TOOLS.map((name) => [name, most]));
		return {
			userInstructions: instructions.trim(),
			outputLimits: { outputCharacters: forCommands(outputCharacters), outputLines: forCommands(outputLines) }
		};
	}

	/** Calls back after each change. Returns the unsubscriber. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}

export const agentDefaults = new KeptDefaults();
