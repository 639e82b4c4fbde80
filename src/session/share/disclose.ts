import type { SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import { isCutNotice } from '#agent/tools/truncation.ts';
import { disclosureCode, passagesOfEntry, shownBy, type Passage } from './passages.ts';
import { plainOutput } from '#agent/tools/plain-output.ts';

/**
 * Makes everything visible that the model would receive of an untrusted conversation: the model gets the
 * messages, while a timeline shows the events, and the two may differ. Content that no event of its branch
 * shows gets a warning directly after it, on every branch, so that both the replay and the continued session
 * show it.
 *
 * Makes one pass over the tree; parents must come before their children.
 *
 * @param leaf current entry of the conversation; defaults to the last entry
 */
export function discloseHidden(
	entries: readonly SessionEntry[],
	leaf?: string
): { entries: SessionEntry[]; leaf?: string } {
	return new Disclosure(entries, leaf).run();
}

type Place = { entry: SessionEntry; children: Place[] };

class Disclosure {
	readonly #shown = new Shown();
	/** Passages of the last message on the path: events that show it may follow it. */
	#pending: Passage[] = [];
	readonly #roots: Place[] = [];
	readonly #inserted = {
		before: new Map<SessionEntry, SessionEntry[]>(),
		after: new Map<SessionEntry, SessionEntry[]>()
	};
	readonly #parents = new Map<SessionEntry, string>();
	readonly #ids: Set<string>;
	#leaf: string | undefined;

	constructor(
		private readonly entries: readonly SessionEntry[],
		leaf: string | undefined
	) {
		this.#leaf = leaf;
		this.#ids = new Set(entries.map(({ id }) => id));
		const places = new Map<string, Place>();
		for (const entry of entries) {
			const place = { entry, children: [] };
			const siblings = entry.parentId === null ? this.#roots : places.get(entry.parentId)?.children;
			siblings?.push(place);
			places.set(entry.id, place);
		}
	}

	run(): { entries: SessionEntry[]; leaf?: string } {
		// Depth-first with an explicit stack: a branch may be 200,000 entries long.
		const stack: (() => void)[] = [];
		const visit = (place: Place): void => {
			const pending = this.#pending;
			const mark = this.#shown.mark();
			stack.push(() => {
				this.#shown.restore(mark);
				this.#pending = pending;
			});
			this.#enter(place);
			for (const child of place.children.toReversed()) stack.push(() => visit(child));
		};
		for (const root of this.#roots.toReversed()) stack.push(() => visit(root));
		for (let step = stack.pop(); step; step = stack.pop()) step();
		const { before, after } = this.#inserted;
		const all = this.entries.flatMap((entry) => {
			const parentId = this.#parents.get(entry);
			const placed = parentId === undefined ? entry : { ...entry, parentId };
			return [...(before.get(entry) ?? []), placed, ...(after.get(entry) ?? [])];
		});
		return { entries: numbered(all), ...(this.#leaf === undefined ? {} : { leaf: this.#leaf }) };
	}

	#enter({ entry, children }: Place): void {
		if (entry.type === 'message' && this.#pending.length > 0) this.#discloseBefore(entry);
		if (entry.type === 'event') this.#shown.add(entry.event);
		const passages = passagesOfEntry(entry);
		// A new list: the previous one is restored on the way back.
		if (passages.length > 0) this.#pending = [...this.#pending, ...passages];
		if (children.length === 0 || entry.id === this.#leaf) this.#discloseAfter(entry, children);
	}

	#discloseBefore(entry: SessionEntry): void {
		const warnings = this.#warnings(entry.parentId, entry.timestamp);
		const last = warnings.at(-1);
		if (!last) return;
		this.#inserted.before.set(entry, warnings);
		this.#parents.set(entry, last.id);
	}

	#discloseAfter(entry: SessionEntry, children: readonly Place[]): void {
		const warnings = this.#warnings(entry.id, entry.timestamp);
		const last = warnings.at(-1);
		if (!last) return;
		this.#inserted.after.set(entry, warnings);
		for (const child of children) this.#parents.set(child.entry, last.id);
		if (entry.id === this.#leaf) this.#leaf = last.id;
	}

	/** Chain of warnings for pending passages that no event shows. */
	#warnings(parentId: string | null, timestamp: number): SessionEntry[] {
		const hidden = this.#pending.filter((passage) => !this.#shown.has(passage));
		this.#pending = [];
		let parent = parentId;
		return hidden.map(({ kind, text }): SessionEntry => {
			const id = this.#newId();
			const body = { type: 'warning' as const, code: disclosureCode(kind), message: text };
			const event = { ...body, sessionId: '', seq: 1, timestamp };
			this.#shown.add(event);
			const entry: SessionEntry = { id, parentId: parent, timestamp, type: 'event', event };
			parent = id;
			return entry;
		});
	}

	#newId(): string {
		for (let count = this.#ids.size; ; count++) {
			const id = `shown-${count}`;
			if (this.#ids.has(id)) continue;
			this.#ids.add(id);
			return id;
		}
	}
}

/** Passages shown by the events of one path; restores an earlier state when the walk leaves a branch. */
class Shown {
	readonly #texts = new Map<string, number>();
	readonly #outputs = new Map<string, string[]>();
	readonly #calls = new Map<string, string[]>();
	readonly #undo: (() => void)[] = [];

	mark(): number {
		return this.#undo.length;
	}

	restore(mark: number): void {
		while (this.#undo.length > mark) this.#undo.pop()?.();
	}

	add(event: SessionEvent): void {
		for (const passage of shownBy(event)) {
			const key = keyOf(passage);
			this.#texts.set(key, (this.#texts.get(key) ?? 0) + 1);
			this.#undo.push(() => void this.#texts.set(key, (this.#texts.get(key) ?? 0) - 1));
			if (passage.kind === 'call' && passage.callId !== undefined)
				this.#push(this.#calls, passage.callId, passage.text);
		}
		if (event.type === 'tool_call_end') this.#push(this.#outputs, event.callId, event.output);
	}

	has(passage: Passage): boolean {
		if ((this.#texts.get(keyOf(passage)) ?? 0) > 0) return true;
		// Warnings carry no call id.
		if (passage.callId !== undefined && this.has({ kind: passage.kind, text: passage.text })) return true;
		const { callId = '', text } = passage;
		if (passage.kind === 'result') return (this.#outputs.get(callId) ?? []).some((output) => isWithin(text, output));
		if (passage.kind !== 'todo') return false;
		const items = text.split(/^- \[\w+\] /m).slice(1);
		const calls = this.#calls.get(callId) ?? [];
		return calls.some((call) => items.every((item) => call.includes(JSON.stringify(item.replace(/\n$/, '')))));
	}

	#push(lists: Map<string, string[]>, key: string, value: string): void {
		const list = lists.get(key) ?? [];
		lists.set(key, list);
		list.push(value);
		this.#undo.push(() => void list.pop());
	}
}

function keyOf({ kind, text, callId = '', picture }: Passage): string {
	return [kind, kind === 'call' ? callId : '', picture?.data ?? '', text].join('\0');
}

/** Colors and similar sequences, which cannot contain words; other escapes could. */
const STYLES = /\u001b\[[0-9;?]*[@-~]/g;

/**
 * Checks whether the model's text equals the displayed output except for cuts: each line appears in the output, in
 * that order; only next to the notice of a cut it may be part of a line.
 */
function isWithin(sent: string, output: string): boolean {
	const shown = plainOutput(output).split('\n');
	const lines = sent
		.replaceAll('\r\n', '\n')
		.replace(STYLES, '')
		.split('\n')
		.filter((line) => line.trim() !== '');
	let at = 0;
	return lines.every((line, index) => {
		if (isCutNotice(line)) return true;
		const isHead = isCutNotice(lines[index + 1] ?? '');
		const isTail = isCutNotice(lines[index - 1] ?? '');
		// Each displayed line is visited once.
		while (at < shown.length) {
			const candidate = shown[at++] ?? '';
			if (candidate === line || (isHead && candidate.startsWith(line)) || (isTail && candidate.endsWith(line)))
				return true;
		}
		return false;
	});
}

function numbered(entries: readonly SessionEntry[]): SessionEntry[] {
	return entries.map((entry, index) =>
		entry.type === 'event' ? { ...entry, event: { ...entry.event, seq: index + 1 } } : entry
	);
}
