import type { Item, ItemOf } from '../timeline/items.ts';
import { pathOf } from '../timeline/tool-arguments.ts';

/** Current place of the agent, if a surface can show it. */
export type AgentPlace = { kind: 'file'; path: string } | { kind: 'command' };

/** Last call of the agent that a surface can show, with its place; `null` before the first one. */
export function agentPlace(items: readonly Item[]): { key: string; place: AgentPlace } | null {
	for (let at = items.length - 1; at >= 0; at -= 1) {
		const item = items[at];
		if (item?.kind === 'user' && !item.steering) return null;
		const place = item?.kind === 'tool' ? placeOf(item) : null;
		if (item && place) return { key: `${item.key}:${place.kind}`, place };
	}
	return null;
}

/** Last command that the agent ran or is running. */
export function lastCommand(items: readonly Item[]): ItemOf<'tool'> | null {
	const last = items.findLast((item) => item.kind === 'tool' && item.tool === 'shell');
	return last?.kind === 'tool' ? last : null;
}

/** A file counts as a place only after the edit: before that there is nothing new to show. */
function placeOf(item: ItemOf<'tool'>): AgentPlace | null {
	if (item.tool === 'shell') return item.status === 'preparing' ? null : { kind: 'command' };
	if (item.status !== 'done') return null;
	if (item.tool !== 'edit' && item.tool !== 'write') return null;
	const path = pathOf(item.arguments);
	return path === '' ? null : { kind: 'file', path };
}
