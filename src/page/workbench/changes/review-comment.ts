import * as z from 'zod/mini';
import { t } from '../../strings/index.ts';

/** The user's comment on one line of a diff. It is stored until it is sent to the agent. */
export const ReviewComment = z.object({
	id: z.string(),
	/** Relative to the working directory. */
	path: z.string(),
	/** Side of the line: the old or the new file. */
	side: z.enum(['old', 'new']),
	/** Counted from 1, in that file. */
	line: z.number(),
	/** The line itself. */
	quote: z.string(),
	text: z.string()
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/** A line that can be spoken about. */
export type Place = Pick<ReviewComment, 'path' | 'side' | 'line' | 'quote'>;

export function isAt(comment: Place, { path, side, line, quote }: Place): boolean {
	return comment.path === path && comment.side === side && comment.line === line && comment.quote === quote;
}

/** The message that carries comments to the agent: what was written in the composer, then each with the line it is about. */
export function messageWith(words: string, comments: readonly ReviewComment[]): string {
	if (comments.length === 0) return words;
	const quoted = comments.map(({ path, side, line, quote, text }) =>
		[
			side === 'old' ? t.review.atOld(path, String(line)) : t.review.at(path, String(line)),
			`> ${quote}`,
			'',
			text
		].join('\n')
	);
	return [...(words === '' ? [] : [words]), t.review.intro, ...quoted].join('\n\n');
}
