import type { SessionEvent } from '#agent/events.ts';
import type { ShareBundle, ShareStep } from '#session/contract.ts';
import { fromBase64 } from '#session/share/base64.ts';
import type { Checkpoint } from '#workspace/contract.ts';
import { branchTo } from '../project/branch-to.ts';
import type { Item } from '../timeline/items.ts';
import { toolKind } from '../timeline/tool-kind.ts';
import type { HistoryFiles, MomentTree } from '../workbench/history/moment.ts';
import { withoutRepeats } from '../workbench/history/stops.ts';

type Files = Map<string, { mode: number; blob: string }>;

/** Tools that do not change files. */
const LOOKS: ReadonlySet<string> = new Set(['read', 'search', 'list', 'todo', 'ask', 'web', 'agent']);

/** Moments of a shared session, for its replay. Contents are identified by their base64 text. */
export class SharedHistory implements HistoryFiles {
	/** Checkpoints of the replayed conversation, each with the number of events before it. */
	readonly moments: readonly { checkpoint: Checkpoint; at: number }[];
	readonly #trees: readonly MomentTree[];

	/**
	 * @param happenedBefore last item before a checkpoint, in the whole conversation: distinguishes checkpoints from
	 * repetitions
	 */
	constructor(
		bundle: ShareBundle,
		private readonly events: readonly SessionEvent[],
		happenedBefore: (checkpointId: string) => Item | undefined = () => undefined
	) {
		const places = new Map<string, number>();
		for (const [index, event] of events.entries())
			if (event.type === 'checkpoint') places.set(event.checkpointId, index + 1);
		const trees = treesOf(bundle);
		const isKnown = ({ id }: Checkpoint, index: number): boolean => trees.has(id) && (index === 0 || places.has(id));
		const known = withoutRepeats(bundle.checkpoints.filter(isKnown), happenedBefore);
		this.moments = known.map((checkpoint, index) => ({
			checkpoint,
			at: index === 0 ? 0 : (places.get(checkpoint.id) ?? 0)
		}));
		const now = trees.get(null);
		this.#trees = [...this.moments.map(({ checkpoint }) => trees.get(checkpoint.id)), now].flatMap(
			(tree) => tree ?? []
		);
	}

	/** Index of the moment whose files belong to a position of the replay; the number of moments means the end. */
	momentAt(position: number): number {
		if (position >= this.events.length) return this.moments.length;
		const last = this.moments.findLastIndex(({ at }) => at <= position);
		const since = this.events.slice(this.moments[last]?.at ?? 0, position);
		// Changes of a call appear in the files of the next checkpoint.
		const isChanged = since.some((event) => event.type === 'tool_call_end' && !LOOKS.has(toolKind(event.toolName)));
		return last + (isChanged ? 1 : 0);
	}

	tree(at: number): Promise<MomentTree> {
		const tree = this.#trees[at];
		return tree ? Promise.resolve(tree) : Promise.reject(new RangeError('The share has no such moment.'));
	}

	async read(blob: string): Promise<Uint8Array> {
		return fromBase64(blob);
	}
}

/**
 * Truncates a share to one of its checkpoints: conversation and files end there.
 *
 * @param id id of a checkpoint of the share
 */
export function bundleAt(bundle: ShareBundle, id: string): ShareBundle {
	const index = bundle.checkpoints.findIndex((checkpoint) => checkpoint.id === id);
	const checkpoint = bundle.checkpoints[index];
	if (!checkpoint || !bundle.history) throw new RangeError('The share has no files of this moment.');
	const entries = branchTo(bundle.entries, checkpoint.entryId);
	const leaf = entries.at(-1)?.id;
	const { leaf: _leaf, receipt: _receipt, ...rest } = bundle;
	return {
		...rest,
		entries,
		...(leaf === undefined ? {} : { leaf }),
		checkpoints: bundle.checkpoints.slice(0, index + 1),
		history: index === 0 ? [] : stepsTo(bundle.history, id)
	};
}

function stepsTo(history: readonly ShareStep[], id: string): ShareStep[] {
	const last = history.findIndex((step) => step.checkpoint === id);
	return history.slice(0, last + 1);
}

/** Files at each checkpoint, by its id; `null` is the present. Without unchanged files of a base. */
function treesOf(bundle: ShareBundle): Map<string | null, MomentTree> {
	const first: Files = new Map();
	const put = (files: Files, path: string, file: { mode: number; base64: string }): void => {
		files.set(path, { mode: file.mode, blob: file.base64 });
	};
	if (!bundle.base) {
		for (const [path, file] of Object.entries(bundle.files))
			if (!Object.hasOwn(bundle.before, path)) put(first, path, file);
		for (const [path, file] of Object.entries(bundle.before)) if (file) put(first, path, file);
	}
	const trees = new Map<string | null, MomentTree>();
	const [start] = bundle.checkpoints;
	if (start) trees.set(start.id, first);
	let files = first;
	for (const step of bundle.history ?? []) {
		files = new Map(files);
		for (const path of step.removed) files.delete(path);
		for (const [path, file] of Object.entries(step.files)) put(files, path, file);
		trees.set(step.checkpoint, files);
	}
	return trees;
}
