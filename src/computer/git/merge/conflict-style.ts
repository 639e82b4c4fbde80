import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import type { ConflictStyle } from './merge-text.ts';

/** The style of conflicts that was asked for, or that is set. @throws GitError for one that there is not */
export function conflictStyle({ config }: Repository, asked?: string): ConflictStyle {
	const style = asked ?? config.get('merge.conflictstyle') ?? 'merge';
	if (style === 'merge' || style === 'diff3' || style === 'zdiff3') return style;
	throw fatal(
		asked === undefined
			? `unknown style '${style}' given for 'merge.conflictstyle'`
			: `unknown conflict style '${style}'`
	);
}
