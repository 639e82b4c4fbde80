import { z } from 'zod';
import type { LanguageQuestion } from './language-messages.ts';

/**
 * Requests from a {@link import('../contract.ts').DiagnosticsService} to the worker or process that does the checking;
 * each message is one line of JSON. The checker may run the project's own compiler, so its replies are parsed.
 *
 * `changed`: other files written since the last request; `null`: too many or too deep, so everything is read again.
 */
export type CheckerRequest =
	/** Answered without problems once the files' project is loaded. */
	| { id: number; type: 'prepare'; paths: string[]; changed: string[] | null }
	| { id: number; type: 'check'; edits: TextEdit[]; changed: string[] | null; withinMs: number }
	/** Answered with an `answer` and no problems. */
	| { id: number; type: 'language'; question: LanguageQuestion; changed: string[] | null };

export interface TextEdit {
	path: string;
	/** `null` if there was or is no file. */
	before: string | null;
	after: string | null;
}

const problem = z.object({
	path: z.string().max(4_096),
	line: z.int().min(1),
	column: z.int().min(1),
	severity: z.enum(['error', 'warning']),
	code: z.string().max(20).optional(),
	message: z.string().max(4_000)
});

const reply = z.object({
	id: z.int(),
	problems: z.array(problem).max(500),
	notice: z.string().max(500).optional(),
	/** Parsed according to the kind of its question. */
	answer: z.unknown().optional()
});

export type CheckerProblem = z.infer<typeof problem>;
export type CheckerReply = z.infer<typeof reply>;

/** Parses a line of a checker; `null` if it is not a valid reply. */
export function parseReply(line: string): CheckerReply | null {
	try {
		const parsed = reply.safeParse(JSON.parse(line));
		return parsed.success ? parsed.data : null;
	} catch {
		return null;
	}
}
