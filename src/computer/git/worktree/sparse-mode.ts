import { enableWorktreeSettings, setWorktreeSetting } from '../config/worktree-settings.ts';
import type { Repository } from '../repository.ts';

/** Form of the patterns of a sparse checkout; `all` for none. */
type SparseMode = 'cone' | 'patterns' | 'all';

/** Stores in the settings of this worktree how its files are selected. */
export function recordSparseMode(repository: Repository, mode: SparseMode): void {
	enableWorktreeSettings(repository);
	setWorktreeSetting(repository, 'core.sparseCheckout', String(mode !== 'all'));
	setWorktreeSetting(repository, 'core.sparseCheckoutCone', String(mode === 'cone'));
	if (mode === 'all') setWorktreeSetting(repository, 'index.sparse', 'false');
	repository.sparse.use(null);
}
