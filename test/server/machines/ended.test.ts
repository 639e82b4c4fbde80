import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { aborted, untilEnded } from '#server/machines/ended.ts';
import { whenRead } from '#server/machines/when-read.ts';
import { inTime } from '#test/in-time.ts';

const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
	Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => setTimeout(resolve, 20, true))]);

describe('the end of a machine', () => {
	it('is waited for until it comes, through looks that fail', async () => {
		const looks: (boolean | Error)[] = [false, new Error('The engine is away.'), true, true];
		const ended = untilEnded(
			async () => {
				const look = looks.shift();
				if (look instanceof Error) throw look;
				return look ?? true;
			},
			new AbortController().signal,
			1
		);
		await inTime(ended, 'the end of the machine');
		expect(looks).toEqual([true]);
	});

	it('is not looked at again before the pause is over', async () => {
		let looks = 0;
		const controller = new AbortController();
		const ended = untilEnded(async () => (looks += 1) === 0, controller.signal, 60_000);
		expect(await isPending(ended)).toBe(true);
		expect(looks).toBe(1);
		controller.abort();
		await inTime(ended, 'the end of the pause');
		expect(looks).toBe(1);
	});

	it('keeps no server from ending while it is waited for', async () => {
		const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
		const before = timers();
		const controller = new AbortController();
		let looks = 0;
		const ended = untilEnded(async () => (looks += 1) === 0, controller.signal, 60_000);
		await new Promise(setImmediate);
		expect([looks, timers()]).toEqual([1, before]);
		controller.abort();
		await inTime(ended, 'the end of the pause');
	});

	it('is of no interest any more once a signal fires', async () => {
		let looks = 0;
		const controller = new AbortController();
		const pending = aborted(controller.signal);
		expect(await isPending(pending)).toBe(true);
		controller.abort();
		await inTime(pending, 'the signal');
		await inTime(aborted(controller.signal), 'the signal that has fired');
		await inTime(
			untilEnded(async () => (looks += 1) > 0, controller.signal),
			'the signal that has fired'
		);
		expect(looks).toBe(0);
	});
});

describe('the outputs of a program that has ended', () => {
	it('are waited for until they were read', async () => {
		const outputs = [new PassThrough(), new PassThrough()];
		outputs[0]?.write('text');
		const read = whenRead(outputs);
		outputs[1]?.resume();
		expect(await isPending(read)).toBe(true);
		outputs[0]?.resume();
		await inTime(read, 'the end of both outputs');
	});

	it('are let go of where their reader has, or has read them already', async () => {
		const [gone, done] = [new PassThrough(), new PassThrough()];
		gone.write('text');
		done.end();
		done.resume();
		await new Promise((resolve) => done.once('end', resolve));
		const read = whenRead([gone, done]);
		expect(await isPending(read)).toBe(true);
		gone.destroy();
		await inTime(read, 'the end of both outputs');
	});
});
