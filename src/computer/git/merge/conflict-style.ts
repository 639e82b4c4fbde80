import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import type { ConflictStyle } from './merge-text.ts';

/** Conflict style: as requested or as configured. @throws GitError if it is unknown */
export function conflictStyle({ config }: Repository, asked?: string): ConflictStyle {
	const style = asked ?? config.get('merge.conflictstyle') ?? 'merge';
	if (style === 'merge' || style === 'diff3' || style === 'zdiff3') return style;
	throw fatal(
		asked === undefined
			? `unknown style '${style}' given for 'merge.conflictstyle'`
			: `unknown conflict style '${style}'`
	);
}
