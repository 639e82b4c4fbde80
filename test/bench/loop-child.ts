// Runs one task of one subject in a process of its own: `node loop-child.js <url> <wire> <subject> <task>`.
import type { Outcome } from './loop/bare.ts';
import { anthropic, MODEL as CLAUDE } from './loop/anthropic.ts';
import { gemini, MODEL as GEMINI } from './loop/gemini.ts';
import { MODEL as GPT, openai } from './loop/openai.ts';
import { report } from './loop/report.ts';
import { tasks, type TaskName } from './loop/tasks.ts';
import type { BenchWire } from './loop/wire.ts';

type Run = (url: string) => Promise<Outcome>;

const wires: Record<string, { model: string; subject(name: string): Promise<Run> }> = {
	anthropic: { model: CLAUDE, subject: (name) => floor(anthropic, name) },
	openai: { model: GPT, subject: (name) => floor(openai, name) },
	gemini: { model: GEMINI, subject: (name) => floor(gemini, name) }
};

/** Loaded on demand only: code that a subject does not need must not use its memory. */
async function floor<Item, Event>(wire: BenchWire<Item, Event>, subject: string): Promise<Run> {
	const { askByFetch, bareLoop } = await import('./loop/bare.ts');
	return async (url) => bareLoop(wire, subject === 'sdk' ? await wire.sdk(url) : askByFetch(wire, url));
}

const [url = '', wireName = '', subject = '', task = ''] = process.argv.slice(2);
const wire = wires[wireName];
if (!wire || !(task in tasks)) throw new Error(`There is no ${wireName} or no ${task}.`);
if (subject === 'bare' || subject === 'sdk') await report(url, task as TaskName, await wire.subject(subject));
else {
	const { ours } = await import('./loop/ours.ts');
	const own = await ours({ provider: wireName, model: wire.model, session: subject === 'session' });
	await report(url, task as TaskName, own.run);
	await own.end();
}
