import type { Writable } from 'node:stream';
import { clearLine, clearScreenDown, cursorTo, moveCursor } from './cursor.ts';
import { Interface } from './interface.ts';
import { askFor } from './question.ts';

/** Cursor movements that are collected until `commit`. */
class Readline {
	#moves: ((stream: Writable) => unknown)[] = [];
	readonly #isAtOnce: boolean;

	constructor(
		private readonly stream: Writable,
		{ autoCommit = false }: { autoCommit?: boolean } = {}
	) {
		this.#isAtOnce = autoCommit;
	}

	cursorTo(x: number, y?: number): this {
		return this.#add((stream) => cursorTo(stream, x, y));
	}

	moveCursor(dx: number, dy: number): this {
		return this.#add((stream) => moveCursor(stream, dx, dy));
	}

	clearLine(direction: number): this {
		return this.#add((stream) => clearLine(stream, direction));
	}

	clearScreenDown(): this {
		return this.#add((stream) => clearScreenDown(stream));
	}

	async commit(): Promise<void> {
		for (const move of this.#moves.splice(0)) move(this.stream);
	}

	rollback(): this {
		this.#moves = [];
		return this;
	}

	#add(move: (stream: Writable) => unknown): this {
		if (this.#isAtOnce) move(this.stream);
		else this.#moves.push(move);
		return this;
	}
}

/** `node:readline/promises`. */
export function createReadlinePromises(): Record<string, unknown> {
	class PromiseInterface extends Interface {
		override question(query: string, ...rest: unknown[]): never {
			const options = rest[0] as { signal?: AbortSignal } | undefined;
			return askFor((...asked) => super.question(...asked), query, options) as never;
		}
	}
	return {
		Interface: PromiseInterface,
		Readline,
		createInterface: (...args: ConstructorParameters<typeof Interface>) => new PromiseInterface(...args)
	};
}
