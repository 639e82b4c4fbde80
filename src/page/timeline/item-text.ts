import { plainOutput } from '#agent/tools/plain-output.ts';
import { commandOf } from '#session/share/shown-command.ts';
import { textOf } from '../project/message-text.ts';
import type { Item } from './items.ts';
import { pathOf } from './tool-arguments.ts';

/** Text of an item for copying and for the timeline's search. */
export function itemText(item: Item): string {
	switch (item.kind) {
		case 'user':
			return textOf(item.content);
		case 'text':
		case 'reasoning':
		case 'notice':
		case 'limit':
		case 'moved':
		case 'unshown':
			return item.text;
		case 'tool':
			return [
				toolHead(item.toolName, item.arguments),
				plainOutput(item.output).trimEnd(),
				...(item.nested ?? []).map(itemText)
			]
				.filter(Boolean)
				.join('\n');
		case 'agent':
			return item.nested.map(itemText).join('\n');
		case 'permission':
			return [item.request.description, item.request.reason].join('\n');
		case 'question':
			return [item.question, ...item.options].join('\n');
		case 'error':
			return item.error.message;
		case 'diagnostics':
			return [item.path, ...item.items.map(({ message }) => message)].join('\n');
		case 'retry':
			return item.message;
		case 'end':
		case 'forked':
		case 'compacted':
			return '';
	}
}

/** First line for a tool call: a command with a prompt before it, or the tool, its file and its other arguments. */
function toolHead(name: string, args: Record<string, unknown>): string {
	const command = commandOf(args);
	if (command !== '') return `$ ${command}`;
	const path = pathOf(args);
	const texts = Object.values(args).filter((value) => typeof value === 'string' && !path.includes(value));
	return [`${name} ${path}`.trim(), ...texts].join('\n');
}

const folded = new WeakMap<Item, string>();

/**
 * Indexes of the items that contain the words, case-insensitive. Items are immutable, so the text of each is computed
 * once.
 */
export function findItems(items: readonly Item[], words: string): number[] {
	const wanted = words.toLocaleLowerCase();
	if (wanted.trim() === '') return [];
	const found: number[] = [];
	items.forEach((item, index) => {
		let text = folded.get(item);
		if (text === undefined) folded.set(item, (text = itemText(item).toLocaleLowerCase()));
		if (text.includes(wanted)) found.push(index);
	});
	return found;
}

/** Index of the item that contains the event with this number, or -1: the last item that had started by then. */
export function itemOfEvent(items: readonly Item[], seq: number): number {
	return items.findLastIndex((item) => item.seq <= seq);
}
