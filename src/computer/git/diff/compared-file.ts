import type { Repository } from '../repository.ts';
import type { Change, ChangeSide } from './change.ts';
import { DiffDrivers, type DiffDriver } from './driver.ts';
import type { DiffFormat } from './format.ts';
import { isBinary } from './lines.ts';
import { sideContent } from './sides.ts';
import type { WhitespaceRule } from './whitespace-rule.ts';

const known = new WeakMap<Repository, DiffDrivers>();

/** Diff drivers of a repository, cached. */
export function driversOf(repository: Repository): DiffDrivers {
	let drivers = known.get(repository);
	if (!drivers) known.set(repository, (drivers = new DiffDrivers(repository)));
	return drivers;
}

/** Makes diff drivers ignore the attributes in the index, for a comparison independent of it. */
export function readAttributesOfFiles(repository: Repository): void {
	known.set(repository, new DiffDrivers(repository, 'files'));
}

/** Contents of both sides of a change, and how to compare them. */
export interface ComparedFile {
	before: Uint8Array;
	after: Uint8Array;
	isBinary: boolean;
	/** Driver of the old side, or of the new one if there is no old side. */
	driver: DiffDriver;
	whitespace: WhitespaceRule;
}

/** Reads both sides, and determines whether they are text. */
export function comparedFile(repository: Repository, change: Change, format: Pick<DiffFormat, 'text'>): ComparedFile {
	const drivers = driversOf(repository);
	const { before, after } = change;
	const driverOf = (side: ChangeSide | null) => drivers.of(side?.source ?? side?.path ?? '');
	const [old, now] = [sideContent(repository, before), sideContent(repository, after)];
	const [oldDriver, newDriver] = [driverOf(before ?? after), driverOf(after ?? before)];
	const binary =
		!format.text &&
		((before !== null && (oldDriver.isBinary ?? isBinary(old))) ||
			(after !== null && (newDriver.isBinary ?? isBinary(now))));
	const side = after ?? before;
	return {
		before: old,
		after: now,
		isBinary: binary,
		driver: before ? oldDriver : newDriver,
		whitespace: drivers.whitespace(side?.source ?? side?.path ?? '')
	};
}
