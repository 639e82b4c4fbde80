import fc from '#test/fast-check.ts';
import { FixtureRegistry } from './fixture-registry.ts';

type Dependencies = Record<string, string>;

interface Release {
	version: string;
	dependencies: Dependencies;
	optionalDependencies: Dependencies;
	peerDependencies: Dependencies;
	/** Set if the peers may be missing. */
	mayLackPeers: boolean;
}

/** A project, and the packages available to it. */
export interface RandomProject {
	manifest: { dependencies: Dependencies; devDependencies: Dependencies; peerDependencies: Dependencies };
	packages: Record<string, Release[]>;
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
/** No package matches the last one. */
const RANGES = ['1', '1.0.0', '1.1.0', '2', '2.0.0', '*', '>=1.1.0', '1 || 2', '<2', '3'];

const range = fc.oneof(
	{ weight: 30, arbitrary: fc.constantFrom(...RANGES.slice(0, -1)) },
	{ weight: 1, arbitrary: fc.constantFrom(...RANGES.slice(-1)) }
);
const dependencies = (count: number) => fc.dictionary(fc.constantFrom(...NAMES), range, { maxKeys: count });

const release = (version: string): fc.Arbitrary<Release> =>
	fc.record({
		version: fc.constant(version),
		dependencies: dependencies(2),
		optionalDependencies: fc.oneof(
			{ weight: 4, arbitrary: fc.constant({}) },
			{ weight: 1, arbitrary: dependencies(1) }
		),
		peerDependencies: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: dependencies(2) }),
		mayLackPeers: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
	});

/** Projects whose packages depend on each other in all ways that affect their placement. */
export const randomProject: fc.Arbitrary<RandomProject> = fc.record({
	manifest: fc.record({
		dependencies: dependencies(3),
		devDependencies: dependencies(3),
		peerDependencies: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: dependencies(1) })
	}),
	packages: fc.record(
		Object.fromEntries(NAMES.map((name) => [name, fc.tuple(...['1.0.0', '1.1.0', '2.0.0'].map(release))]))
	)
});

/** Publishes the packages on a server. */
export function publish({ packages }: RandomProject): Promise<FixtureRegistry> {
	const registry = new FixtureRegistry();
	for (const [name, releases] of Object.entries(packages)) {
		for (const { mayLackPeers, ...manifest } of releases) {
			const peerDependenciesMeta = Object.fromEntries(
				Object.keys(mayLackPeers ? manifest.peerDependencies : {}).map((peer) => [peer, { optional: true }])
			);
			registry.publish({ name, ...manifest, peerDependenciesMeta });
		}
	}
	return registry.start();
}

/** The project without packages that nothing depends on. */
export function reachable({ manifest, packages }: RandomProject): RandomProject {
	const names = new Set(Object.values(manifest).flatMap(Object.keys));
	for (const name of names) {
		for (const { dependencies, optionalDependencies, peerDependencies } of packages[name] ?? [])
			for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
				names.add(next);
	}
	return { manifest, packages: Object.fromEntries(Object.entries(packages).filter(([name]) => names.has(name))) };
}

/** Versions by place, or why there is no tree. */
export type Outcome = Record<string, string> | { error: string };

/** @param lock the text of a `package-lock.json`; null if there is none. @param said npm's output */
export function outcomeOf(lock: string | null, said: string): Outcome {
	if (lock === null) return { error: /error code (\w+)/.exec(said)?.[1] ?? said };
	const { packages } = JSON.parse(lock) as { packages: Record<string, Record<string, unknown>> };
	const flags = ['dev', 'optional', 'devOptional', 'peer', 'extraneous'];
	const places = Object.entries(packages).filter(([place]) => place !== '');
	return Object.fromEntries(
		places.map(([place, entry]) => [place, [entry['version'], ...flags.filter((flag) => entry[flag])].join(' ')])
	);
}
