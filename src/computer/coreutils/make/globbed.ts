import type { MakeState } from './state.ts';

/** Names that a pattern matches; the pattern itself if there are none. */
export function globbed(state: MakeState, name: string): string[] {
	if (!/[*?[]/.test(name) && !name.startsWith('~')) return [name];
	const found = state.machine.glob(name);
	return found.length > 0 ? found : [name];
}
