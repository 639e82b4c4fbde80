import { catchThrown, type CallbackSources } from './async-hooks.ts';
import { EventEmitter } from './events.ts';

type Callback = (...args: unknown[]) => unknown;

interface Member {
	emitter: EventEmitter;
	follow: (error: unknown) => void;
}

/** `node:domain`, deprecated in Node: catches errors thrown by callbacks that are registered while it is entered. */
export function createDomainModule(runtime: CallbackSources): Record<string, unknown> {
	const entered: { domain: Domain; leave: () => void }[] = [];
	const active = (): Domain | null => entered.at(-1)?.domain ?? null;

	class Domain extends EventEmitter {
		#members: Member[] = [];

		get members(): EventEmitter[] {
			return this.#members.map(({ emitter }) => emitter);
		}

		run(call: Callback, ...args: unknown[]): unknown {
			return this.bind(call)(...args);
		}

		bind(call: Callback): Callback {
			return (...args) => {
				this.enter();
				try {
					return call(...args);
				} catch (error) {
					this.#take(error, { domainThrown: true });
					return undefined;
				} finally {
					this.exit();
				}
			};
		}

		intercept(call: Callback): Callback {
			const bound = this.bind(call);
			return (error, ...args) => {
				if (!(error instanceof Error)) return bound(...args);
				this.#take(error, { domainBound: call, domainThrown: false });
				return undefined;
			};
		}

		add(emitter: EventEmitter): void {
			if (this.members.includes(emitter)) return;
			const follow = (error: unknown) => this.#take(error, { domainEmitter: emitter, domainThrown: false });
			emitter.on('error', follow);
			this.#members.push({ emitter, follow });
			Object.defineProperty(emitter, 'domain', { value: this, writable: true, configurable: true });
		}

		remove(emitter: EventEmitter): void {
			const member = this.#members.find((one) => one.emitter === emitter);
			if (!member) return;
			emitter.off('error', member.follow);
			this.#members = this.#members.filter((one) => one !== member);
			Object.assign(emitter, { domain: null });
		}

		enter(): void {
			const leave = catchThrown(runtime, (error) => this.#take(error, { domainThrown: true }));
			entered.push({ domain: this, leave });
		}

		/** Exits it and all domains entered after it. */
		exit(): void {
			const at = entered.findLastIndex(({ domain }) => domain === this);
			if (at < 0) return;
			entered[at]!.leave();
			entered.length = at;
		}

		/** Passes an error to the listeners; without one it is the program's. */
		#take(error: unknown, origin: Record<string, unknown>): void {
			if (this.listenerCount('error') === 0) throw error;
			if (typeof error === 'object' && error !== null) {
				for (const [name, value] of Object.entries({ domain: this, ...origin })) {
					Object.defineProperty(error, name, { value, writable: true, configurable: true });
				}
			}
			this.emit('error', error);
		}
	}

	Object.defineProperty(process, 'domain', { get: active, configurable: true, enumerable: true });
	const create = () => new Domain();
	return Object.defineProperty({ Domain, create, createDomain: create, _stack: entered }, 'active', {
		get: active,
		enumerable: true
	});
}
