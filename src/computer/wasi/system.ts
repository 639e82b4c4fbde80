import type { ModuleMemory } from './memory.ts';
import { Errno, WasiExit } from './types.ts';

const encoder = new TextEncoder();
const CLOCK_EVENT_BYTES = 32;
const SUBSCRIPTION_BYTES = 48;

/** Arguments, environment, clocks, random numbers and exit. */
export class System {
	#args: Uint8Array[];
	#env: Uint8Array[];

	constructor(
		private readonly memory: ModuleMemory,
		args: readonly string[],
		env: Readonly<Record<string, string>>
	) {
		this.#args = args.map((arg) => encoder.encode(`${arg}\0`));
		this.#env = Object.entries(env).map(([name, value]) => encoder.encode(`${name}=${value}\0`));
	}

	imports(): WebAssembly.ModuleImports {
		return {
			args_sizes_get: (count: number, size: number) => this.#sizes(this.#args, count, size),
			args_get: (pointers: number, buffer: number) => this.#strings(this.#args, pointers, buffer),
			environ_sizes_get: (count: number, size: number) => this.#sizes(this.#env, count, size),
			environ_get: (pointers: number, buffer: number) => this.#strings(this.#env, pointers, buffer),
			clock_res_get: (_clock: number, at: number) => {
				this.memory.view.setBigUint64(at, 1000n, true);
				return Errno.success;
			},
			clock_time_get: (clock: number, _precision: bigint, at: number) => {
				this.memory.view.setBigUint64(at, now(clock), true);
				return Errno.success;
			},
			random_get: (at: number, length: number) => {
				for (let from = 0; from < length; from += 65536) {
					const random = crypto.getRandomValues(new Uint8Array(Math.min(65536, length - from)));
					this.memory.bytes(at + from, random.length).set(random);
				}
				return Errno.success;
			},
			sched_yield: () => Errno.success,
			poll_oneoff: (subscriptions: number, events: number, count: number, stored: number) =>
				this.#poll(subscriptions, events, count, stored),
			proc_exit: (code: number) => {
				throw new WasiExit(code);
			},
			proc_raise: (signal: number) => {
				throw new WasiExit(128 + signal);
			}
		};
	}

	#sizes(list: readonly Uint8Array[], count: number, size: number): number {
		this.memory.view.setUint32(count, list.length, true);
		const total = list.reduce((sum, item) => sum + item.length, 0);
		this.memory.view.setUint32(size, total, true);
		return Errno.success;
	}

	#strings(list: readonly Uint8Array[], pointers: number, buffer: number): number {
		for (const [index, item] of list.entries()) {
			this.memory.view.setUint32(pointers + index * 4, buffer, true);
			this.memory.bytes(buffer, item.length).set(item);
			buffer += item.length;
		}
		return Errno.success;
	}

	/** Sleeps for the shortest clock; descriptors count as ready, since reading them waits anyway. */
	#poll(subscriptions: number, events: number, count: number, stored: number): number {
		const { view } = this.memory;
		let soonestMs = Infinity;
		const ready: number[] = [];
		for (let index = 0; index < count; index++) {
			const at = subscriptions + index * SUBSCRIPTION_BYTES;
			if (view.getUint8(at + 8) !== 0) {
				ready.push(at);
				continue;
			}
			const clock = view.getUint32(at + 16, true);
			const absolute = (view.getUint16(at + 40, true) & 1) !== 0;
			const time = view.getBigUint64(at + 24, true) - (absolute ? now(clock) : 0n);
			soonestMs = Math.min(soonestMs, Math.max(0, Number(time) / 1e6));
		}
		if (ready.length === 0 && soonestMs !== Infinity) {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, soonestMs);
			ready.push(subscriptions);
		}
		for (const [index, at] of ready.entries()) {
			const event = events + index * CLOCK_EVENT_BYTES;
			this.memory.bytes(event, CLOCK_EVENT_BYTES).fill(0);
			view.setBigUint64(event, view.getBigUint64(at, true), true);
			view.setUint8(event + 10, view.getUint8(at + 8));
		}
		view.setUint32(stored, ready.length, true);
		return Errno.success;
	}
}

const now = (clock: number) => BigInt(Math.round((clock === 0 ? Date.now() : performance.now()) * 1e6));
