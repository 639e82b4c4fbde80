import type { Page } from 'playwright';
import * as z from 'zod/mini';
import { missing, row, type Row } from '../row.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const FILES = 100_000;
const LIMIT_MS = 50;
/** Includes the work after the end of a command: the list of changes, storage. */
const AFTER_MS = 4_000;

const write = (folder: string) => `node -e "
	const fs = require('fs');
	for (let i = 0; i < ${FILES}; i++) {
		if (i < 200) fs.mkdirSync('${folder}/' + i, { recursive: true });
		fs.writeFileSync('${folder}/' + (i % 200) + '/' + i + '.js', 'module.exports = ' + i + '\\\\n');
	}"`;

/** Ways in which a program may load the page, run one after the other in one project. */
const LOADS: { name: string; command: string; timeoutMs?: number }[] = [
	{ name: '100,000 packaged files are written', command: `echo node_modules >.gitignore; ${write('node_modules')}` },
	{ name: 'rm -rf takes them away', command: 'rm -rf node_modules' },
	{ name: '100,000 files of the project are written', command: write('many') },
	{ name: 'rm -rf takes those away', command: 'rm -rf many' },
	{
		name: 'a program prints 1 GB',
		command: `node -e "const b = Buffer.alloc(1 << 20, '0123456789abcde\\n'); for (let i = 0; i < 1024; i++) fs.writeSync(1, b)"`
	},
	{
		name: 'a fork bomb of scripts runs for 10 s',
		command: `printf '#!/bin/sh\\n"$0" & "$0" &\\nwait\\n' >bomb; chmod +x bomb; ./bomb`,
		timeoutMs: 10_000
	},
	{
		name: 'a program takes all the memory it can',
		command: 'node -e "for (const all = [];;) all.push(Buffer.alloc(1 << 24, 1))"',
		timeoutMs: 20_000
	},
	{ name: 'a loop in the shell never ends', command: 'while :; do :; done', timeoutMs: 3_000 },
	{ name: 'a loop in node never ends', command: `node -e "for (;;) fs.writeFileSync('same', 'x')"`, timeoutMs: 3_000 }
];

const traced = z.object({
	traceEvents: z.array(
		z.object({
			name: z.string(),
			pid: z.int(),
			tid: z.int(),
			dur: z.optional(z.number()),
			tdur: z.optional(z.number()),
			args: z.optional(z.looseObject({ name: z.optional(z.unknown()) }))
		})
	)
});

/**
 * Measures the longest task of the page's own thread, and of the sandbox frame's, while programs run. Counts processor
 * time, so waiting for a core used by those programs does not count.
 */
export async function responsiveRows(product: Product): Promise<Row[]> {
	const title = (name: string) => `longest task of the page while ${name}`;
	const world = await openTabWorld(product);
	try {
		const page = await world.open();
		await page.evaluate(() => window.sandglass!.importRepository({ files: { 'README.md': 'For the benchmark.\n' } }));
		await page.evaluate(() => window.sandglass!.environment!.exec('node -e 0'));
		const rows: Row[] = [];
		for (const load of LOADS) {
			const name = title(load.name);
			try {
				const { cpu, wall } = await longestTask(page, load.command, load.timeoutMs ?? 300_000);
				const note = `on the clock ${Math.round(wall)} ms`;
				rows.push(row({ name, unit: 'ms', ours: cpu, against: { name: 'limit', value: LIMIT_MS }, bound: 1, note }));
			} catch (error) {
				rows.push(missing(name, 'ms', error));
			}
		}
		return rows;
	} finally {
		await world.close();
	}
}

async function longestTask(page: Page, command: string, timeoutMs: number): Promise<{ cpu: number; wall: number }> {
	const browser = page.context().browser();
	if (!browser) throw new Error('the page has no browser');
	await browser.startTracing(undefined, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
	let trace: Buffer;
	try {
		await page.evaluate(
			async ({ command, timeoutMs }) => {
				// Its output stays there: copying it here would be a long task of the benchmark.
				await window.sandglass!.environment!.exec(command, { timeoutMs });
			},
			{ command, timeoutMs }
		);
		await page.waitForTimeout(AFTER_MS);
	} finally {
		trace = await inTime(browser.stopTracing());
	}
	const { traceEvents } = traced.parse(JSON.parse(trace.toString()));
	const key = ({ pid, tid }: { pid: number; tid: number }) => `${pid} ${tid}`;
	const threads = new Set(
		traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(key)
	);
	const tasks = traceEvents.filter((event) => event.name === 'RunTask' && threads.has(key(event)));
	if (!tasks.some(({ tdur }) => tdur !== undefined)) throw new Error('this browser tells no task’s processor time');
	const most = (times: (number | undefined)[]) => times.reduce<number>((max, us = 0) => Math.max(max, us), 0) / 1_000;
	return { cpu: most(tasks.map(({ tdur }) => tdur)), wall: most(tasks.map(({ dur }) => dur)) };
}
