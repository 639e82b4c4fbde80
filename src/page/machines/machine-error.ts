/** Reason why a machine could not be used, as a sentence for the user that includes what to do. */
export class MachineError extends Error {
	override readonly name = 'MachineError';

	/**
	 * @param code code of the server's refusal, or `unreachable`
	 * @param isFinal true if the same request would be refused again
	 */
	constructor(
		readonly code: string,
		message: string,
		readonly isFinal: boolean
	) {
		super(message);
	}
}

/** Codes with which the server refuses a machine permanently. */
const FINAL = new Set(['machine_gone', 'machine_in_use', 'machine_type_unknown', 'machine_quota']);

/** Returns true for a refusal that a retry cannot change. */
export const isFinalCode = (code: string): boolean => FINAL.has(code);
