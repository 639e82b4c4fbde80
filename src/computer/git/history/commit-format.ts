import type { Decorations } from './decorations.ts';
import type { ShownNotes } from '../notes/shown-notes.ts';
import type { Highlight } from './highlight.ts';
import type { PrettyFormat } from './pretty-name.ts';
import type { Revision } from './walk.ts';

/** Format of commits in `log` and `show`. */
export interface LogFormat extends PrettyFormat {
	abbreviate: boolean;
	date: string;
	/** Shows dates instead of entry numbers in a reflog. */
	isDateAsked?: boolean;
	/** Shows ref names after ids. */
	decorate: boolean;
	decorations?: Decorations;
	isColored?: boolean;
	/** Applies the mailmap to names and addresses. */
	isMapped?: boolean;
	/** Tab width in cells; 0 keeps tabs; by default, the format decides. */
	tabs?: number | undefined;
	/** Line width in cells, for columns counted from the right. */
	columns?: number;
	/** Encoding of the output, if that is not UTF-8. */
	encoding?: string | undefined;
	/** Mark before a commit's id. */
	markOf?: (revision: Revision) => string;
	/** Ref from which a commit was reached. */
	sourceOf?: (id: string) => string | undefined;
	/** Notes shown below the message. */
	notes?: ShownNotes | null;
	/** Shows the parents after the id. */
	showsParents?: boolean;
	/** Length of abbreviated ids. */
	digits?: number | undefined;
	/** Highlights matches of the patterns that selected the commit. */
	highlight?: Highlight | undefined;
	/** Shows the length of the text before it. */
	showsSize?: boolean;
}
