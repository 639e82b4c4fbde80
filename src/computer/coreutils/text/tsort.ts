import { decode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { byBytes } from '../byte-order.ts';
import { eachInput } from '../input/each-input.ts';
import { UsageError, utility } from '../options.ts';

interface Item {
	name: string;
	predecessors: number;
	/** Items that must come later, in the order given; may contain duplicates. */
	successors: Item[];
	isPrinted: boolean;
	/** Next item in the loop being searched. */
	next: Item | null;
}

/** `tsort`: topological sort of items, given as pairs. */
export const tsort = utility('', async (call, { operands }) => {
	const [name = '-', extra] = operands;
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	let text = '';
	const status = await eachInput(
		call,
		[name],
		async (file) => void (text = decode(await call.shell.control.race(file.readAll())))
	);
	if (status !== 0) return status;
	const words = text.split(/[ \t\n]+/).filter(Boolean);
	if (words.length % 2 === 1) {
		await call.complain(`${name}: input contains an odd number of tokens`);
		return 1;
	}
	return sort(call, name, itemsOf(words));
});

/** Items sorted by name. */
function itemsOf(words: readonly string[]): Item[] {
	const items = new Map<string, Item>();
	const itemOf = (name: string): Item => {
		const known = items.get(name);
		if (known) return known;
		const item: Item = { name, predecessors: 0, successors: [], isPrinted: false, next: null };
		items.set(name, item);
		return item;
	};
	for (let at = 0; at < words.length; at += 2) {
		const [first, second] = [itemOf(words[at] ?? ''), itemOf(words[at + 1] ?? '')];
		if (first === second) continue;
		first.successors.unshift(second);
		second.predecessors++;
	}
	return [...items.values()].sort((a, b) => byBytes(a.name, b.name));
}

/** Prints the items; drops one pair of each loop. Returns the status. */
async function sort(call: Call, input: string, items: readonly Item[]): Promise<number> {
	let [status, left] = [0, items.length];
	while (left > 0) {
		const queue = items.filter((item) => item.predecessors === 0 && !item.isPrinted);
		for (const item of queue) {
			item.isPrinted = true;
			left--;
			for (const successor of item.successors) if (--successor.predecessors === 0) queue.push(successor);
		}
		await call.out(queue.map(({ name }) => `${name}\n`).join(''));
		if (left === 0) break;
		status = 1;
		await call.complain(`${input}: input contains a loop:`);
		for (const name of breakLoop(items)) await call.complain(name);
	}
	return status;
}

/** Finds a loop among the remaining items and drops one of its pairs. Returns the names in the loop. */
function breakLoop(items: readonly Item[]): string[] {
	let last: Item | null = null;
	for (;;)
		for (const item of items) {
			if (item.predecessors === 0) continue;
			if (last === null) {
				last = item;
				continue;
			}
			const at = item.successors.indexOf(last);
			if (at < 0) continue;
			if (item.next === null) {
				item.next = last;
				last = item;
				continue;
			}
			const loop: string[] = [];
			for (let one: Item = last; ; one = one.next ?? item) {
				loop.push(one.name);
				if (one === item) break;
			}
			item.successors.splice(at, 1);
			last.predecessors--;
			for (const one of items) one.next = null;
			return loop;
		}
}
