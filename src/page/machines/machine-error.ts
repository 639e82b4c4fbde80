/** Reason why a machine could not be used, as a sentence for the user with what to do. */
export class MachineError extends Error {
	override readonly name = 'MachineError';

	/**
	 * @param code of the server's refusal, or `unreachable`
	 * @param isFinal the same request will be refused again
	 */
	constructor(
		readonly code: string,
		message: string,
		readonly isFinal: boolean
	) {
		super(message);
	}
}

/** Codes with which the server refuses a machine for good. */
const FINAL = new Set(['machine_gone', 'machine_in_use', 'machine_type_unknown', 'machine_quota']);

/** Returns true for a refusal that trying again does not change. */
export const isFinalCode = (code: string): boolean => FINAL.has(code);
