import type { ReporterOptions, Reporter } from './reporter.ts';
import { UsageError } from '../../options.ts';
import { dotReporter } from './dot.ts';
import { junitReporter } from './junit.ts';
import { specReporter } from './spec.ts';
import { tapReporter } from './tap.ts';

const REPORTERS: Record<string, (options: ReporterOptions) => Reporter> = {
	spec: specReporter,
	tap: tapReporter,
	dot: dotReporter,
	junit: junitReporter
};

/** Throws UsageError for a name that is not one of ours. */
export function createReporter(name: string, options: ReporterOptions): Reporter {
	const create = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
	if (!create)
		throw new UsageError(`unknown test reporter '${name}'. Take one of: ${Object.keys(REPORTERS).join(', ')}`);
	return create(options);
}

/** `node:test/reporters`: the names, for programs that list them. */
export const reporterModule = REPORTERS;
