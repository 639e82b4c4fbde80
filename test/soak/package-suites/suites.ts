/** A package whose published tarball contains its tests. Version and integrity are in `package-lock.json`. */
export interface PackageSuite {
	name: string;
	/** Files of the package to run, each separately. */
	files: RegExp;
	/** `node file`, or `mocha file` with output in TAP. */
	runner: 'node' | 'mocha';
	/** Style of mocha's tests: `describe` and `it`, or `suite` and `test`. */
	interface?: 'tdd';
}

const node = (name: string, files: RegExp): PackageSuite => ({ name, files, runner: 'node' });
const mocha = (name: string, files: RegExp): PackageSuite => ({ name, files, runner: 'mocha' });

export const PACKAGE_SUITES: PackageSuite[] = [
	mocha('bn.js', /^test\/[^/]+-test\.js$/),
	node('buffer', /^test\/(?!_)[^/]+\.js$/),
	node('deep-equal', /^test\/cmp\.js$/),
	node('events', /^tests\/index\.js$/),
	node('fast-json-stable-stringify', /^test\/[^/]+\.js$/),
	mocha('htmlparser2', /^test\/(?:0\d-\w+|api)\.js$/),
	node('json-stable-stringify', /^test\/[^/]+\.js$/),
	node('jsonparse', /^test\/[^/]+\.js$/),
	node('lru-cache', /^test\/(?!memory-leak)[^/]+\.js$/),
	node('minimist', /^test\/[^/]+\.js$/),
	node('mkdirp', /^test\/[^/]+\.js$/),
	node('object-inspect', /^test\/[^/]+\.js$/),
	node('path-browserify', /^test\/test-[^/]+\.js$/),
	node('qs', /^test\/[^/]+\.js$/),
	node('resolve', /^test\/[^/]+\.js$/),
	node('sha.js', /^test\/(?:hash|test|vectors)\.js$/),
	node('tape', /^test\/(?!common)[^/]+\.js$/),
	node('through', /^test\/[^/]+\.js$/),
	node('traverse', /^test\/[^/]+\.js$/),
	{ ...mocha('uuid', /^test\/test\.js$/), interface: 'tdd' },
	node('xtend', /^test\.js$/)
];
