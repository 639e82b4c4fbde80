import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import fc from '#test/fast-check.ts';
import { departure, outcomeHere, type PatchOutcome } from '#test/agent/tools/apply-patch/outcome.ts';
import { mangledPatch } from '#test/agent/tools/apply-patch/mangled-patches.ts';
import { readTree, writeTree } from '#test/agent/tools/apply-patch/trees.ts';
import { installPackages } from './install.ts';
import { soak } from './size.ts';

const PEER = path.join(import.meta.dirname, 'patch-peer');

/** `PATCH_ANSWERS=FILE SOAK_SIZE=200` writes the answers that `codex-answers.test.ts` reads. */
it('2,500 patches do what codex does with them, or differ for a named reason', async () => {
	const { seed, size } = soak(2_500);
	const program = codex();
	const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-patches-'));
	const reasons = new Map<string, number>();
	const unexplained: unknown[] = [];
	const kept: unknown[] = [];
	let applied = 0;
	for (const { before, patch } of fc.sample(mangledPatch, { numRuns: size, seed })) {
		const theirs = runThere(program, folder, before, patch);
		const ours = await outcomeHere(before, patch);
		const reason = departure(before, patch, ours, theirs);
		if (theirs.after) applied += 1;
		if (reason !== 'same') reasons.set(reason ?? 'none', (reasons.get(reason ?? 'none') ?? 0) + 1);
		if (reason === null) unexplained.push({ before: Object.fromEntries(before), patch, ours, theirs });
		kept.push({ before: Object.fromEntries(before), patch, after: theirs.after && Object.fromEntries(theirs.after) });
	}
	rmSync(folder, { recursive: true });
	console.log(`Seed ${seed}, ${version}: ${size} patches, ${applied} of them applied there; differences:`, reasons);
	const record = process.env['PATCH_ANSWERS'];
	if (record) writeFileSync(record, `[\n${kept.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
	expect(unexplained).toEqual([]);
});

function runThere(program: string, folder: string, before: ReadonlyMap<string, string>, patch: string): PatchOutcome {
	rmSync(folder, { recursive: true });
	writeTree(folder, before);
	const { status } = spawnSync(program, ['--codex-run-as-apply-patch', patch], { cwd: folder });
	return { after: status === 0 ? readTree(folder) : null };
}

/** The program installed with the package for this machine. */
function codex(): string {
	const packages = path.join(installPackages(PEER), '@openai');
	const triple = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`;
	const program = path.join(packages, `codex-linux-${process.arch}`, 'vendor', triple, 'bin/codex');
	if (!existsSync(program)) throw new Error(`codex has no program for this machine: ${program} is missing`);
	return program;
}
