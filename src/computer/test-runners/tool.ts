/** Properties of a test tool that is not installed or cannot run here. */
export interface Tool {
	name: 'vitest' | 'jest';
	why: string;
	/** Module names imported by its test files, which our runner replaces. */
	modules: string[];
	/** Candidate paths of its configuration. */
	configFiles: string[];
	/** Default patterns for test files. */
	include: string[];
	globals: boolean;
}

const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

export const TOOLS: Record<Tool['name'], Tool> = {
	vitest: {
		name: 'vitest',
		why: 'the installed one runs itself, unless the browser shares no memory',
		modules: ['vitest', 'vitest/config', '@vitest/runner', '@vitest/expect', '@vitest/spy'],
		configFiles: ['vitest.config', 'vite.config'].flatMap((name) => EXTENSIONS.map((one) => `${name}.${one}`)),
		include: ['**/*.{test,spec}.?(c|m)[jt]s?(x)'],
		globals: false
	},
	jest: {
		name: 'jest',
		why: 'the installed one runs itself, unless its resolver is native code or NODE_OPTIONS asks for --experimental-vm-modules',
		modules: ['@jest/globals'],
		configFiles: [...EXTENSIONS.map((one) => `jest.config.${one}`), 'jest.config.json'],
		include: ['**/__tests__/**/*.?([mc])[jt]s?(x)', '**/?(*.)+(spec|test).?([mc])[jt]s?(x)'],
		globals: true
	}
};
