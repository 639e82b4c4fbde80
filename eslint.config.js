import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

/** What leaves a room is imported by the room's name, so that a moved file breaks nothing. */
const byName = (rooms) => [
	'error',
	{ patterns: [{ regex: `^(\\.\\./)+(${rooms})/`, message: 'Write #room/… for what leaves the room.' }] }
];

export default tseslint.config(
	{ ignores: ['dist/', 'node_modules/', 'public/', 'test-results/', '.cache/', 'test/bench/node_modules/'] },
	...tseslint.configs.recommended,
	...svelte.configs.recommended,
	{
		files: ['**/*.svelte', '**/*.svelte.ts'],
		languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } }
	},
	{
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }
			],
			'max-lines': ['error', { max: 600 }],
			'no-empty': ['error', { allowEmptyCatch: false }]
		}
	},
	{
		files: ['src/**/*.ts', 'src/**/*.svelte'],
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector:
						'Identifier[name="SharedArrayBuffer"]:not(:function *):not(PropertyDefinition *):not(UnaryExpression > *):not(TSTypeReference > *)',
					message:
						'A tab without shared memory has no SharedArrayBuffer: a module that names it as it loads fails there.'
				}
			]
		}
	},
	{
		files: ['**/*.svelte', '**/*.svelte.ts'],
		rules: {
			// Big data is held in `$state.raw` and replaced; a plain Map or Set is meant as such.
			'svelte/prefer-svelte-reactivity': 'off',
			// The reason stands behind the code, which the rule takes for more codes.
			'svelte/no-unused-svelte-ignore': 'off'
		}
	},
	{
		files: ['src/**/*.ts', 'src/**/*.svelte'],
		rules: {
			'@typescript-eslint/no-restricted-imports': byName('agent|cli|computer|environment|llm|page|session|workspace')
		}
	},
	{
		files: ['test/**/*.ts'],
		// Packages of their own, for which `#` means themselves.
		ignores: ['test/bench/**', 'test/soak/*/**'],
		// The page's root component stands beside the rooms.
		rules: { '@typescript-eslint/no-restricted-imports': byName('src/(?!App\\.svelte)[^/]*|server') }
	},
	{
		// A library: no page, no Node.
		files: ['src/agent/**/*.ts', 'src/llm/**/*.ts'],
		rules: {
			'no-restricted-globals': [
				'error',
				'window',
				'document',
				'localStorage',
				'indexedDB',
				'process',
				'Buffer',
				'__dirname'
			]
		}
	},
	{
		files: ['test/**/*.ts'],
		ignores: ['test/fast-check.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{ paths: [{ name: 'fast-check', message: 'Take it from test/fast-check.ts, where its cases have a seed.' }] }
			]
		}
	}
);
