import * as z from 'zod/mini';

/** Accepted parts of a path's difference. */
export const AcceptedPath = z.object({
	/** The `version` of the difference when all of it was accepted; `null` while only parts are. */
	version: z.nullable(z.string()),
	/** The parts that were accepted, by their ids. */
	parts: z.array(z.string())
});
export type AcceptedPath = z.infer<typeof AcceptedPath>;
