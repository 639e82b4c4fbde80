import { SyscallError, type AsyncSyscalls } from '#computer/abi/client.ts';
import { SYSCALL_NAMES } from '#computer/abi/call-names.ts';
import { ownBytes } from './own-bytes.ts';
import type { ToKernel, ToProcess } from '#computer/abi/wire.ts';

interface Waiting {
	resolve: (value: unknown) => void;
	reject: (error: Error) => void;
}

/** Asynchronous system calls as promises, over the same port and the same handlers in the kernel. */
export class AsyncClient {
	#waiting = new Map<number, Waiting>();
	#lastId = 0;
	readonly calls: AsyncSyscalls;

	constructor(private readonly post: (message: ToKernel) => void) {
		const calls: Record<string, unknown> = {};
		for (const name of SYSCALL_NAMES) {
			calls[name] = (...args: unknown[]) =>
				this.#ask((id) => ({ kind: 'async', id, name, args: args.map((value) => ownBytes(value)) }));
		}
		this.calls = calls as unknown as AsyncSyscalls;
	}

	async module(asset: string): Promise<WebAssembly.Module> {
		const module = await this.#ask((id) => ({ kind: 'module', id, asset }));
		if (!(module instanceof WebAssembly.Module)) throw new SyscallError('EIO', `${asset} is no WebAssembly module`);
		return module;
	}

	settle(message: ToProcess): void {
		if (message.kind === 'signal' || message.kind === 'changes') return;
		const waiting = this.#waiting.get(message.id);
		this.#waiting.delete(message.id);
		if (message.kind === 'value') waiting?.resolve(message.value);
		else waiting?.reject(new SyscallError(message.code, message.message, message.path));
	}

	#ask(message: (id: number) => ToKernel): Promise<unknown> {
		const id = ++this.#lastId;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject });
			this.post(message(id));
		});
	}
}
