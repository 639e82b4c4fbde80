import * as z from 'zod/mini';

/** Accepted parts of a path's difference. */
export const AcceptedPath = z.object({
	/** `version` of the difference when all of it was accepted; `null` if only parts were. */
	version: z.nullable(z.string()),
	/** Ids of the accepted parts. */
	parts: z.array(z.string())
});
export type AcceptedPath = z.infer<typeof AcceptedPath>;
