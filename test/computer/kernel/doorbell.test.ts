import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Doorbell, type Caller } from '#computer/kernel/calls/doorbell.ts';
import { createLook } from '#computer/abi/look.ts';

/** A process that makes `calls` calls, each as soon as the previous one was answered. */
class Calling implements Caller {
	isExpected = false;
	isPosted = false;
	answers = 0;
	answersAtTheDoor = 0;
	#rings: Int32Array;

	constructor(
		doorbell: Doorbell,
		private readonly calls: number
	) {
		this.#rings = new Int32Array(doorbell.memory);
		doorbell.add(this);
	}

	expect(isExpected: boolean): void {
		this.isExpected = isExpected;
	}
	hasPosted(): boolean {
		return this.isPosted;
	}
	answer(): void {
		if (this.answers >= this.calls || this.isPosted) return;
		this.answers++;
		if (this.isExpected) this.answersAtTheDoor++;
		this.ring();
	}
	ring(): void {
		Atomics.add(this.#rings, 0, 1);
		Atomics.notify(this.#rings, 0);
	}
}

describe('the kernel’s door', () => {
	let doorbell: Doorbell;
	// How much fits into a moment depends on the machine: the clock only advances where a test waits for it.
	const clock = vi.fn<() => number>();
	beforeEach(() => {
		vi.spyOn(performance, 'now').mockImplementation(clock.mockReturnValue(0));
		doorbell = new Doorbell();
	});
	afterEach(() => void vi.restoreAllMocks());

	it('answers the calls that follow the first without a message, of all who call', async () => {
		const [first, other] = [new Calling(doorbell, 5), new Calling(doorbell, 3)];
		await doorbell.attend(first);
		expect([first.answersAtTheDoor, other.answersAtTheDoor]).toEqual([5, 3]);
		expect(first.isExpected || other.isExpected).toBe(false);
	});

	it('leaves for messages that were posted, and answers nothing in front of them', async () => {
		const [first, other] = [new Calling(doorbell, Infinity), new Calling(doorbell, Infinity)];
		const answer = first.answer.bind(first);
		first.answer = () => {
			answer();
			if (first.answers === 3) other.isPosted = true;
		};
		await doorbell.attend(first);
		expect(other.answers).toBe(2);
		expect(first.isExpected).toBe(false);
	});

	it('leaves those who never stop calling or ringing, and hears messages before it comes back', async () => {
		let looks = 0;
		clock.mockImplementation(() => looks++ / 10);
		const first = new Calling(doorbell, Infinity);
		await doorbell.attend(first);
		const { answersAtTheDoor } = first;
		expect(answersAtTheDoor).toBeGreaterThan(0);
		await doorbell.attend(first);
		expect(first.answersAtTheDoor).toBe(answersAtTheDoor);
		await vi.waitFor(async () => {
			await doorbell.attend(first);
			expect(first.answersAtTheDoor).toBeGreaterThan(answersAtTheDoor);
		});
	});

	it('lets what hangs on an answer happen before it sleeps', async () => {
		const first = new Calling(doorbell, 1);
		const waiting = new Calling(doorbell, 0);
		let isWritten: (value: string) => void = () => {};
		const read = new Promise<string>((resolve) => (isWritten = resolve));
		const answer = first.answer.bind(first);
		first.answer = () => {
			answer();
			isWritten('written');
		};
		const seen = vi.fn(() => expect(waiting.isExpected).toBe(true));
		void (async () => (await read, await undefined, seen()))();
		await doorbell.attend(first);
		expect(seen).toHaveBeenCalledOnce();
	});
});

describe('a look', () => {
	it('sees what is there, after the first few times and less often where it was in vain', () => {
		const look = createLook(0.01, 2);
		let isThere = true;
		const isSeen = vi.fn(() => isThere);
		/** Rounds, of 40, in which it was checked at all. */
		const rounds = () =>
			Array.from({ length: 40 }, (_, round) => {
				isSeen.mockClear();
				expect(look(isSeen)).toBe(isThere && isSeen.mock.calls.length > 0);
				return isSeen.mock.calls.length > 0 ? round : -1;
			}).filter((round) => round >= 0);
		expect(rounds()).toEqual(Array.from({ length: 30 }, (_, round) => round + 10));
		isThere = false;
		expect(rounds()).toEqual([0, 2, 5, 10, 19, 36]);
	});

	it('is not taken where one processor does everything', () => {
		const look = createLook(10, 1);
		expect(Array.from({ length: 40 }, () => look(() => true))).not.toContain(true);
	});
});
