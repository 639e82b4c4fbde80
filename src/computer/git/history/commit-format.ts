import type { Decorations } from './decorations.ts';
import type { ShownNotes } from '../notes/shown-notes.ts';
import type { Highlight } from './highlight.ts';
import type { PrettyFormat } from './pretty-name.ts';
import type { Revision } from './walk.ts';

/** Format of commits in `log` and `show`. */
export interface LogFormat extends PrettyFormat {
	abbreviate: boolean;
	date: string;
	/** Dates stand in the place of numbers in the history of a reference. */
	isDateAsked?: boolean;
	/** Names of references stand behind ids. */
	decorate: boolean;
	decorations?: Decorations;
	isColored?: boolean;
	/** People are shown under their proper names. */
	isMapped?: boolean;
	/** Cells to the next stop of a tab; 0 leaves tabs, absent: as the format has it. */
	tabs?: number | undefined;
	/** Cells of a line, for columns that are counted from its end. */
	columns?: number;
	/** Encoding of the output, if that is not UTF-8. */
	encoding?: string | undefined;
	/** Mark that is shown in front of a commit's id. */
	markOf?: (revision: Revision) => string;
	/** Reference from which a commit was reached. */
	sourceOf?: (id: string) => string | undefined;
	/** Notes that are shown below the message. */
	notes?: ShownNotes | null;
	/** Parents are shown behind it. */
	showsParents?: boolean;
	/** Length of shortened ids. */
	digits?: number | undefined;
	/** Colors what patterns match that chose the commit. */
	highlight?: Highlight | undefined;
	/** Length of the text stands in front of it. */
	showsSize?: boolean;
}
