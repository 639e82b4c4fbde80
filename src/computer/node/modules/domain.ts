import { EventEmitter } from './events.ts';

type Callback = (...args: unknown[]) => unknown;

/** `node:domain`, which Node has deprecated: catches what is thrown in `run` and in bound callbacks. */
class Domain extends EventEmitter {
	readonly members: unknown[] = [];

	run(call: Callback, ...args: unknown[]): unknown {
		return this.bind(call)(...args);
	}

	bind(call: Callback): Callback {
		return (...args) => {
			try {
				return call(...args);
			} catch (error) {
				this.emit('error', error);
				return undefined;
			}
		};
	}

	intercept(call: Callback): Callback {
		const bound = this.bind(call);
		return (error, ...args) => (error instanceof Error ? this.emit('error', error) : bound(...args));
	}

	add(emitter: EventEmitter): void {
		this.members.push(emitter);
		emitter.on('error', (error: unknown) => this.emit('error', error));
	}

	remove(): void {}
	enter(): void {}
	exit(): void {}
	dispose(): void {}
}

export function createDomainModule(): Record<string, unknown> {
	const create = () => new Domain();
	return { Domain, create, createDomain: create, active: null, _stack: [] };
}
