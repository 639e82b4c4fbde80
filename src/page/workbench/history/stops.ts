import type { Checkpoint } from '#workspace/contract.ts';
import { commandOf } from '#session/share/shown-command.ts';
import { textOf } from '../../project/message-text.ts';
import { titleOf } from '../../project/title.ts';
import { t } from '../../strings/index.ts';
import type { Item, ItemOf } from '../../timeline/items.ts';
import { exitCodeOf } from '../../timeline/output.ts';
import { isRead } from '../../timeline/rows.ts';
import { stepWords } from '../../timeline/step-words.ts';
import { runsTests } from '../../timeline/runs-tests.ts';
import { visibleName } from '../../visible-text.ts';

/** Appearance of a stop: results are colored, read-only steps are ticks. */
export type StopKind = 'import' | 'message' | 'edit' | 'passed' | 'failed' | 'look' | 'other';

/** A moment of the history, named after the last thing that happened before it. */
export interface Stop {
	checkpoint: Checkpoint;
	kind: StopKind;
	name: string;
}

const LONGEST_NAME = 28;

/**
 * Removes checkpoints that repeat the previous one: nothing happened in between, and the files are the same. A turn
 * that starts with a command has a checkpoint for each of the two.
 */
export function withoutRepeats(
	checkpoints: readonly Checkpoint[],
	happenedBefore: (checkpointId: string) => Item | undefined
): Checkpoint[] {
	return checkpoints.filter((checkpoint, index) => {
		const previous = checkpoints[index - 1];
		const item = happenedBefore(checkpoint.id);
		return !item || previous?.tree !== checkpoint.tree || happenedBefore(previous.id)?.key !== item.key;
	});
}

/**
 * Names each checkpoint after the last thing that happened before it.
 *
 * @param happenedBefore `undefined` for a checkpoint of another branch, which keeps its own label
 */
export function stopsOf(
	checkpoints: readonly Checkpoint[],
	happenedBefore: (checkpointId: string) => Item | undefined
): Stop[] {
	let before: Item | undefined;
	return checkpoints.map((checkpoint) => {
		const item = happenedBefore(checkpoint.id);
		const isSame = item !== undefined && item.key === before?.key;
		before = item;
		const stop = item ? stopAfter(item) : own(checkpoint.label);
		return { checkpoint, ...stop, kind: isSame ? 'look' : stop.kind };
	});
}

function own(label: string): Pick<Stop, 'kind' | 'name'> {
	const known: Record<string, string> = t.timeline.checkpoints;
	return { kind: label === 'Imported' ? 'import' : 'other', name: visibleName(known[label] ?? label) };
}

function stopAfter(item: Item): Pick<Stop, 'kind' | 'name'> {
	if (item.kind === 'user') return { kind: 'message', name: `“${short(titleOf(textOf(item.content)))}”` };
	if (item.kind !== 'tool') return { kind: 'look', name: '' };
	if (item.tool === 'shell') return afterCommand(item);
	const { verb, subject } = stepWords(item);
	const name = short(`${verb} ${subject.slice(subject.lastIndexOf('/') + 1)}`.trim());
	const isEdit = item.tool === 'edit' || item.tool === 'write' || item.tool === 'patch';
	return { kind: isEdit && item.status === 'done' ? 'edit' : isRead(item) ? 'look' : 'other', name };
}

function afterCommand(item: ItemOf<'tool'>): Pick<Stop, 'kind' | 'name'> {
	const command = commandOf(item.arguments);
	const line = short(visibleName(command.split('\n', 1)[0] ?? ''));
	const failed = item.status === 'failed' || (exitCodeOf(item.details) ?? 0) !== 0;
	if (failed) return { kind: 'failed', name: t.checkpoints.failed(line) };
	return runsTests(command) ? { kind: 'passed', name: t.checkpoints.passed(line) } : { kind: 'edit', name: line };
}

function short(text: string): string {
	const name = visibleName(text);
	return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1).trimEnd()}…`;
}
