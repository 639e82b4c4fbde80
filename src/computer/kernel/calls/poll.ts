import type { PollWish, Readiness } from '#computer/abi/syscalls.ts';
import type { Process } from '../processes/process.ts';

/**
 * Answers immediately if a wish is satisfied; otherwise at the first change that satisfies one, at a signal that the
 * process catches, or at the timeout.
 */
export function poll(process: Process, wishes: PollWish[], timeoutMs: number): Readiness[] | Promise<Readiness[]> {
	const descriptions = wishes.map(({ descriptor }) => process.descriptor(descriptor));
	const look = () => descriptions.map((description) => description.readiness());
	const holds = (found: Readiness[]) =>
		wishes.some(({ reads, writes }, at) => (reads && found[at]!.readable) || (writes && found[at]!.room > 0));
	const now = look();
	if (holds(now) || timeoutMs === 0) return now;
	return new Promise((resolve) => {
		const end = () => {
			clearTimeout(timer);
			for (const leave of left) leave();
			resolve(look());
		};
		const left = descriptions.map((description) =>
			description.watch(() => {
				if (process.ended || holds(look())) end();
			})
		);
		left.push(process.signalled.add(end));
		const timer = setTimeout(end, Math.min(timeoutMs, LONGEST_MS));
	});
}

/** Longest delay that a timer supports. */
const LONGEST_MS = 2 ** 31 - 1;
