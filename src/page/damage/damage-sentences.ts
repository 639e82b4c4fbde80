import type { Damage } from '#session/contract.ts';
import { t } from '../strings/index.ts';
import { visibleName } from '../visible-text.ts';

/** Paths to name in a sentence; the rest is counted. */
const NAMED = 8;

/** Describes what a damaged session lost, one sentence each. */
export const damageSentences = (damage: readonly Damage[]): string[] => damage.map(sentenceOf);

function sentenceOf(damage: Damage): string {
	switch (damage.kind) {
		case 'conversation_lines':
			return t.damage.conversation_lines(damage.count);
		case 'conversation_missing':
			return t.damage.conversation_missing;
		case 'change_lines':
			return t.damage.change_lines(damage.count);
		case 'changes_missing':
			return t.damage.changes_missing(damage.contents);
		case 'last_changes':
			return t.damage.last_changes(damage.count, listed(damage.paths));
		case 'files':
			return t.damage.files(damage.paths.length, listed(damage.paths));
		case 'checkpoints':
			return t.damage.checkpoints(damage.count);
	}
}

function listed(paths: readonly string[]): string {
	const named = paths.slice(0, NAMED).map((path) => visibleName(path.replace(/^\/workspace\//, '')));
	if (paths.length > NAMED) named.push(t.damage.more(paths.length - NAMED));
	return named.join(', ');
}
