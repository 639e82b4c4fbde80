import { z } from 'zod';

/** Kubernetes' status object for a failure, and for the end of a command. */
const status = z.object({
	status: z.string().max(100).optional(),
	message: z.string().max(100_000).optional(),
	reason: z.string().max(1_000).optional(),
	details: z
		.object({
			causes: z.array(z.object({ reason: z.string().optional(), message: z.string().optional() })).optional()
		})
		.optional()
});

const MAX_MESSAGE = 1_000;

/** The API server refused a request. `code` is its HTTP status. */
export class KubernetesError extends Error {
	override readonly name = 'KubernetesError';
	constructor(
		readonly code: number,
		message: string
	) {
		super(message);
	}
}

/** Creates the error for an unsuccessful response. */
export function errorOf(code: number, body: string): KubernetesError {
	const parsed = status.safeParse(parseJson(body));
	const said = parsed.success ? (parsed.data.message ?? parsed.data.reason) : undefined;
	return new KubernetesError(code, `Kubernetes answered ${code}: ${(said ?? 'no reason given').slice(0, MAX_MESSAGE)}`);
}

/**
 * Returns the exit code of a command from the status object that ends its connection.
 * @throws KubernetesError if it could not run
 */
export function exitCodeOf(body: string): number {
	const parsed = status.safeParse(parseJson(body));
	if (!parsed.success) throw new KubernetesError(0, 'Kubernetes did not say how the command ended.');
	const { status: outcome, reason, message = '', details } = parsed.data;
	if (outcome === 'Success') return 0;
	const code = details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message;
	if (reason === 'NonZeroExitCode' && code !== undefined && /^\d{1,3}$/.test(code)) return Number(code);
	throw new KubernetesError(0, `Kubernetes could not run the command: ${message.slice(0, MAX_MESSAGE)}`);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
