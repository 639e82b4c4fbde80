import type { Repository } from '../repository.ts';
import { booleanOf } from './values.ts';

/** Settings that describe the main worktree, so that the linked ones must not share them. */
const OF_MAIN_TREE: readonly [key: string, applies: (value: string) => boolean][] = [
	['core.bare', (value) => booleanOf(value) === true],
	['core.worktree', () => true]
];

/** Enables settings of single worktrees (`extensions.worktreeConfig`), and moves those of the main one. */
export function enableWorktreeSettings({ config, commonDir }: Pick<Repository, 'config' | 'commonDir'>): void {
	if (config.flag('extensions.worktreeconfig', false)) return;
	const shared = `${commonDir}/config`;
	config.set(shared, 'extensions.worktreeConfig', 'true');
	const own = new Map(config.read(shared, 'local').map(({ key, value }) => [key, value]));
	for (const [key, applies] of OF_MAIN_TREE) {
		const value = own.get(key);
		if (value === undefined || !applies(value)) continue;
		config.set(`${commonDir}/config.worktree`, key, value);
		config.set(shared, key, null);
	}
}

/** Stores a setting of this worktree. */
export function setWorktreeSetting(
	{ config, gitDir }: Pick<Repository, 'config' | 'gitDir'>,
	key: string,
	value: string | null
): void {
	config.set(`${gitDir}/config.worktree`, key, value);
}
