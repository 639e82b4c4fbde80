import * as z from 'zod/mini';
import { t } from '../../strings/index.ts';

/** The user's comment on one line of a diff. Stored until it is sent to the agent. */
export const ReviewComment = z.object({
	id: z.string(),
	/** Relative to the working directory. */
	path: z.string(),
	/** Side of the line: the old or the new file. */
	side: z.enum(['old', 'new']),
	/** 1-based, in that file. */
	line: z.number(),
	/** Content of the line. */
	quote: z.string(),
	text: z.string()
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/** A line that can be commented on. */
export type Place = Pick<ReviewComment, 'path' | 'side' | 'line' | 'quote'>;

export function isAt(comment: Place, { path, side, line, quote }: Place): boolean {
	return comment.path === path && comment.side === side && comment.line === line && comment.quote === quote;
}

/** Builds the message for the agent: the text from the composer, then each comment with its line. */
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
