import { z } from 'zod';
import type { ScenarioTurn } from '../../../src/llm/scenario/types.ts';

/** Task of every subject, and what must have arrived at its end. */
export interface Task {
	turns: ScenarioTurn[];
	/** Total length of all texts and argument texts, in characters: a subject that reads less has not done the work. */
	textCharacters: number;
	argumentCharacters: number;
}

export const SYSTEM = 'You look things up and save what you find. Be brief.';
export const PROMPT = 'Look everything up.';

export const lookupSchema = z.object({ query: z.string() });
export const saveSchema = z.object({ path: z.string(), content: z.string() });

/** As offered by every subject; the parameters are JSON Schema. */
export const TOOLS = [
	{ name: 'lookup', description: 'Looks up one item.', parameters: jsonSchema(['query']) },
	{ name: 'save', description: 'Saves a text.', parameters: jsonSchema(['path', 'content']) }
];

/** Work of both tools: next to nothing, so that the loop is measured. */
export function answer(name: string): string {
	return name === 'save' ? 'Saved.' : 'It is item number 42 of the third shelf, between the maps and the almanacs.';
}

export type TaskName = keyof typeof tasks;

export const tasks = {
	/** Loads code that is loaded on first use. */
	warm: task([lookup(0), { text: 'Ready.' }]),
	turns: task([...Array.from({ length: 200 }, (_, index) => lookup(index)), { text: 'That was all of it.' }]),
	deltas: task([{ text: 'delta '.repeat(5_000), pace: { chunkCharacters: 6, delayMs: 0 } }]),
	argument: task([
		{
			toolCalls: [{ name: 'save', arguments: { path: 'notes.md', content: prose(80_000) } }],
			pace: { chunkCharacters: 4, delayMs: 0 }
		},
		{ text: 'Saved.' }
	])
};

function lookup(index: number): ScenarioTurn {
	return {
		text: `I look up item ${index}, because the list names it and nothing else does.`,
		toolCalls: [{ name: 'lookup', arguments: { query: `item ${index}` } }],
		pace: { chunkCharacters: 16, delayMs: 0 }
	};
}

function task(turns: ScenarioTurn[]): Task {
	let textCharacters = 0;
	let argumentCharacters = 0;
	for (const turn of turns) {
		textCharacters += turn.text?.length ?? 0;
		for (const call of turn.toolCalls ?? []) argumentCharacters += JSON.stringify(call.arguments).length;
	}
	return { turns, textCharacters, argumentCharacters };
}

function prose(characters: number): string {
	const line = 'It was a "quiet" town, and the clock\tstruck thirteen.\n';
	return line.repeat(Math.ceil(characters / line.length)).slice(0, characters);
}

function jsonSchema(names: string[]) {
	return {
		type: 'object' as const,
		properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
		required: names
	};
}
