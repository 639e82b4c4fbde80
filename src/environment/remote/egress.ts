/** An HTTP request from a program on a machine. */
export interface EgressRequest {
	method: string;
	/** Absolute. */
	url: string;
	headers: [string, string][];
	body: Uint8Array;
}

export interface EgressAnswer {
	status: number;
	statusText: string;
	headers: [string, string][];
	body: Uint8Array;
}

/** Performs a request, or rejects with a sentence for the program. */
export type AnswerEgress = (request: EgressRequest) => Promise<EgressAnswer>;

/** Requests that programs on a machine without a network send to its proxy. */
export interface MachineEgress {
	/** Answers all requests from now on; without a server they fail. Returns a function that stops it. */
	serve(answer: AnswerEgress): () => void;
}

/** Part of an environment that has a proxy for its programs. */
interface WithEgress {
	readonly egress?: MachineEgress | undefined;
}

/** Returns the proxy of an environment; `undefined` if it has none. */
export function egressOf(environment: object): MachineEgress | undefined {
	return 'egress' in environment ? (environment as WithEgress).egress : undefined;
}
