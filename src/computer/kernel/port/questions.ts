import { SyscallError } from '#computer/abi/client.ts';
import type { WireResponse } from '#computer/abi/syscalls.ts';
import type { Question, ToPage } from '#computer/abi/protocol.ts';

type Answer = Uint8Array | string | WireResponse;

/** Questions of the kernel that the page has not answered yet. */
export class Questions {
	#waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: SyscallError) => void }>();
	#lastId = 0;

	constructor(private readonly post: (message: ToPage) => void) {}

	ask(question: Question): Promise<Answer> {
		const id = ++this.#lastId;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject });
			this.post({ type: 'ask', id, question });
		});
	}

	answer(id: number, value: Answer): void {
		this.#waiting.get(id)?.resolve(value);
		this.#waiting.delete(id);
	}

	refuse(id: number, code: string, message: string): void {
		this.#waiting.get(id)?.reject(new SyscallError(code, message));
		this.#waiting.delete(id);
	}
}
