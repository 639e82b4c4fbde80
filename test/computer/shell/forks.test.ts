import { expect, it } from 'vitest';
import { Forks } from '#computer/shell/state/forks.ts';

it('lets what is left of a bomb that was ended make no more, and everything later', async () => {
	const forks = new Forks();
	const before = forks.generation;
	// No start is waiting: this is not a fork bomb, and background jobs continue.
	forks.giveUp();
	expect(forks.mayFork(before)).toBe(true);
	const waiting = forks.pause(60_000);
	forks.giveUp();
	await expect(waiting).rejects.toMatchObject({ status: 130 });
	expect([forks.mayFork(before), forks.mayFork(forks.generation)]).toEqual([false, true]);
});

it('knows a bomb by a fork that was refused, until no subshell is left', async () => {
	const forks = new Forks();
	forks.began();
	forks.began();
	await forks.pause(0);
	const bomb = forks.generation;
	// No start is waiting now, and only few processes are alive: the bomb has shrunk, and will grow again.
	forks.giveUp();
	expect(forks.mayFork(bomb)).toBe(false);
	const afterwards = forks.generation;
	forks.ended();
	forks.ended();
	forks.began();
	forks.giveUp();
	expect(forks.mayFork(afterwards)).toBe(true);
});
