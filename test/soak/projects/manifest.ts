/** A public repository whose own tests are run at one commit. */
export interface Project {
	/** `owner/name`. */
	repository: string;
	commit: string;
	/** Other commands whose exit codes must be the same as natively. */
	steps: { name: 'build' | 'lint' | 'types'; command: string }[];
	/** Flags that npm needs to install it natively. */
	installFlags?: string;
	/** Command that installs it, if not npm. */
	install?: string;
	/** Folder of its packages, if not `node_modules`. */
	packages?: string;
	/** Packages that pip installs for a Python project, instead of npm's packages. */
	python?: PythonPackages;
	/** Prints TAP, or the output of `jest --json`, uvu or `pytest -rA`. */
	tests: string;
	/** Known reasons why verdicts differ. */
	differences?: string;
}

export interface PythonPackages {
	/** Requirements in pip's format. All of them have wheels. */
	requirements: readonly string[];
	/** Set to also install the project itself: `pip install -e .`. */
	editable?: boolean;
}

/** Prints each test with its verdict. */
const PYTEST = 'python -m pytest -p no:cacheprovider -rA -q --tb=no';

export const PROJECTS: Project[] = [
	{
		repository: 'expressjs/express',
		commit: 'a3714473feb3d2908add734d340e7755fd85e0a3',
		steps: [{ name: 'lint', command: 'npx eslint .' }],
		tests: 'npx mocha --require test/support/env --reporter tap --check-leaks test/ test/acceptance/'
	},
	{
		repository: 'koajs/koa',
		commit: 'e0ba8ef39d27fe5dae5492f9fe753d155124f994',
		steps: [],
		tests: 'node --test --test-reporter=tap',
		differences:
			'Chromium’s `URL` takes a space in a host; `util.inspect` reads a getter that throws on koa’s context prototype.'
	},
	{
		repository: 'tj/commander.js',
		commit: 'ba6d13ddb4243e5913367734f8c159089ffe7834',
		steps: [],
		tests: 'node --test --test-reporter=tap'
	},
	{
		repository: 'debug-js/debug',
		commit: 'f405ade8a4b7a0dc353e0f7390c1be90060f3621',
		steps: [],
		tests: 'npx mocha -R tap test.js test.node.js'
	},
	{
		repository: 'axios/axios',
		commit: '23a25af0688d1db2c396deb09229d2271cc24f6c',
		steps: [],
		tests: 'npx mocha -R tap test/unit/**/*.js --timeout 30000 --exit',
		differences:
			'The progress and the abort of `fetch` to this machine come in one piece; stacks name other functions behind an `await`. Six tests with a `lookup` of their own are mended since.'
	},
	{
		repository: 'chalk/chalk',
		commit: '678e5505458d0cf40134e205aed4454e0eeac45c',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'expressjs/body-parser',
		commit: 'b1f3d588c5dca4b3a4ca7d5d3765c9129118926a',
		steps: [],
		tests: 'npx mocha --reporter tap --check-leaks test/'
	},
	{
		repository: 'chaijs/chai',
		commit: '099f48a326f0d77a0e4e9a34d7050b4217dd62d1',
		steps: [],
		tests:
			'npx esbuild --bundle --format=esm --target=es2021 --keep-names --outfile=index.js lib/chai.js && npx mocha --reporter tap --require ./test/bootstrap/index.js test/*.js'
	},
	{
		repository: 'sindresorhus/p-limit',
		commit: 'df476048d023ff868cd45b35ee47f5fb0ca2b25a',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'fastify/fast-uri',
		commit: 'c6a74bfd9d8c6b0df5362b3c7ae88d8021cb1e39',
		steps: [],
		tests: 'npx tape test/**/*.js'
	},
	{
		repository: 'ljharb/qs',
		commit: '3a890d4ecd3deb72a45d90be36f4f8c5970467c7',
		steps: [],
		tests: 'npx tape "test/**/*.js"'
	},
	{
		repository: 'minimistjs/minimist',
		commit: '30b56212c17fdad7575c652a6aef5e61afa026e4',
		steps: [],
		tests: 'npx tape "test/**/*.js"'
	},
	{
		repository: 'unjs/defu',
		commit: '80c0146afb11ebd86183a579ec469f3abd976695',
		installFlags: '--legacy-peer-deps',
		steps: [],
		tests: 'npx vitest run --reporter=tap',
		differences: 'A suite of `node:test` in a test of vitest reports nothing of its own.'
	},
	{
		repository: 'unjs/ufo',
		commit: '11308c0bb5cb4a4bc3bfcbdc5c03177b097423e6',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'pillarjs/path-to-regexp',
		commit: 'cbf30259e6d34d6135f9e7dbaa3371e7188f9936',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'reduxjs/reselect',
		commit: '93bb49091fc5e0e0569c745a7240df433548f386',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'immerjs/immer',
		commit: '061c2425e1c9dff89e4e4189d42af1b7839dfe0a',
		installFlags: '--legacy-peer-deps',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'unjs/pathe',
		commit: '2a558aee716f6820a199cdf5b075ef4aafb69399',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'unjs/destr',
		commit: '541b6f9aeada9fc30de9c5a7e086dbfc1c6fcdc7',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'unjs/hookable',
		commit: 'b77477c027039362ee0ec4f39b8998c4f1b21707',
		steps: [],
		tests: 'npx vitest run --reporter=tap',
		differences:
			'A context of `vm` shares the objects of the language with the program: a promise of its code is one of the program.'
	},
	{
		repository: 'sindresorhus/camelcase',
		commit: '8596a65fcbfedd474cdedf16f48b7d9381eb7953',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'sindresorhus/slugify',
		commit: 'd572cba97a8f661d201f4e8bdc0842bc532c9773',
		steps: [],
		tests: 'npx ava --tap'
	},
	{
		repository: 'ljharb/object-inspect',
		commit: '33bdee95b862bca5f9db68d9b10b01ca59932e0a',
		steps: [],
		tests: 'npx tape "test/*.js"'
	},
	{
		repository: 'reduxjs/redux-thunk',
		commit: '184205d49f707c6f203269e0d39ad85824801816',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'npm/node-semver',
		commit: '6e05b7637396ac66522cff8731f07cfe0ef49a29',
		steps: [],
		tests: 'npx tap --no-coverage -R tap'
	},
	{
		repository: 'npm/ini',
		commit: '3c96c74fd42584bd655e17a4e63e2ef0a3b406ee',
		steps: [],
		tests: 'npx tap --no-coverage -R tap'
	},
	{
		repository: 'yargs/yargs-parser',
		commit: '60f2db5dacde1e94f960ce0941a717f3f422f865',
		steps: [{ name: 'build', command: 'npx tsc -p tsconfig.test.json' }],
		tests: 'npx mocha --reporter tap test/*.mjs'
	},
	{
		repository: 'iamkun/dayjs',
		commit: '0f6c19e3b63bcc3ff74917cb3a60125020c75648',
		steps: [],
		tests: 'npx jest --json --coverage=false'
	},
	{
		repository: 'testing-library/dom-testing-library',
		commit: 'e395d5b8ecd4ec95cc02540ddcf16571ecd33e0f',
		steps: [],
		tests: 'npx kcd-scripts test --json --coverage=false --watchAll=false'
	},
	{
		repository: 'jprichardson/node-fs-extra',
		commit: '62a4e720804aaa45d377d06788e258375cc544fa',
		steps: [],
		tests: 'npx mocha --reporter tap "lib/**/__tests__/*.test.js"'
	},
	{
		repository: 'micromatch/picomatch',
		commit: '4f41a8edade7a5ab19832f7b40ecce46b288767f',
		steps: [],
		tests: 'npx mocha --reporter tap'
	},
	{
		repository: 'unjs/h3',
		commit: 'ac609aae8fa93947b564de55e2d1a6bec5ad18ad',
		steps: [],
		tests: 'npx vitest run --reporter=tap',
		differences: 'Messages of errors of WebCrypto are the browser’s.'
	},
	{
		repository: 'motdotla/dotenv',
		commit: '2fc7eac8ad77cbd5f7814355c7fa352dbcf3c358',
		steps: [],
		tests: 'npx tap run tests/**/*.js --allow-empty-coverage --disable-coverage --timeout=60000 -R tap'
	},
	{
		repository: 'sindresorhus/p-queue',
		commit: '180ab9e25cd10b6f548767d7176076b50d25e188',
		steps: [],
		tests: 'node --import=tsx/esm --test --test-reporter=tap test/*.ts'
	},
	{
		repository: 'fastify/fastify-plugin',
		commit: 'f06b46c4f882dac70e63ebd75bd23cb015ed67ba',
		steps: [{ name: 'lint', command: 'npx eslint' }],
		tests: 'node --test --test-reporter=tap'
	},
	{
		repository: 'expressjs/multer',
		commit: '0adb21d0294fe7315344feb6ddee00b0666d9e8a',
		steps: [{ name: 'lint', command: 'npx eslint .' }],
		tests: 'npx mocha --reporter tap --exit --check-leaks test/'
	},
	{
		repository: 'fastify/secure-json-parse',
		commit: 'aa7555b85eb6aed4f4e4fbf0b4ef85d795822320',
		steps: [],
		tests: 'npx tape "test/*.test.js"'
	},
	{
		repository: 'fastify/fastify-cors',
		commit: '2a47537e6deb32652f16aba19d05adb14736c108',
		steps: [{ name: 'lint', command: 'npx eslint' }],
		tests: 'node --test --test-reporter=tap'
	},
	{
		repository: 'isaacs/minipass',
		commit: 'ab4b3b05d0d557ac6bb178f38501b11d0c96454e',
		steps: [],
		tests: 'npx tap run --allow-empty-coverage --disable-coverage --timeout=60000 -R tap'
	},
	{
		repository: 'eemeli/yaml',
		commit: 'bf03c0cb1ee997c56ed85c70f56c73e05b1cc001',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'ladjs/supertest',
		commit: 'fd571c82cdce1a7ba93f9a576277dbe535fd381f',
		steps: [],
		tests: 'npx mocha --exit --require should --reporter tap --check-leaks',
		differences: 'No servers of https and none of HTTP/2.'
	},
	{
		repository: 'expressjs/session',
		commit: '2c9512fb790e4bf80b3b62305eb8078028607785',
		steps: [{ name: 'lint', command: 'npx eslint .' }],
		tests: 'npx mocha --require test/support/env --check-leaks --exit --reporter tap test/'
	},
	{
		repository: 'moment/luxon',
		commit: 'b6b9d03709085008287ed7f4ce5067f0f4be53f2',
		steps: [],
		tests: 'npx jest --json --coverage=false',
		differences: 'Chromium has no dates, numbers and calendars of some languages, such as Belarusian.'
	},
	{
		repository: 'mde/ejs',
		commit: '2c41365ca042a70978e5795adc05fbb8b35fb013',
		steps: [{ name: 'build', command: 'npx jake compile' }],
		tests: 'npx mocha --reporter tap -u tdd',
		differences:
			'Its command takes standard input only where that is there by the first `setImmediate`; a domain does not follow `process.nextTick`.'
	},
	{
		repository: 'yargs/yargs',
		commit: '2a4378bdc2eac9cf7d0cdfe0a52b1b25f779806a',
		steps: [{ name: 'build', command: 'npx tsc && npx tsc -p tsconfig.test.json' }],
		tests: 'npx mocha --reporter tap ./test/*.mjs --require ./test/before.mjs --timeout=24000 --check-leaks'
	},
	{
		repository: 'jashkenas/underscore',
		commit: 'e70d5bd070f1d883b40e786a955a61e4f4b3c2c6',
		steps: [],
		tests: 'npx qunit test/'
	},
	{
		repository: 'Keyang/node-csvtojson',
		commit: 'de1eac2ea5646a69a0c25672bb668d1ee1330cbf',
		steps: [],
		tests: 'TS_NODE_CACHE_DIRECTORY=.ts-node npx mocha -r ts-node/register src/**/*.test.ts ./test/*.ts -R tap'
	},
	{
		repository: 'caolan/async',
		commit: '77fd31096b7b421d6cd6be84757c767e0b35b9fd',
		steps: [],
		tests: 'npx mocha --reporter tap'
	},
	{
		repository: 'terser/terser',
		commit: '9fc8a85aaa7087d2b8c9b4b31d267202b731b5f1',
		steps: [],
		tests: 'npx mocha test/mocha --reporter tap'
	},
	{
		repository: 'hapijs/hapi',
		commit: 'f2a24f6635c0892842f6eaf9154d3788f2f1d084',
		steps: [],
		tests: 'npx lab -a @hapi/code -r tap -m 5000',
		differences: 'No `lsof`; the delay of the event loop is not measured.'
	},
	{
		repository: 'hapijs/joi',
		commit: 'c86ddc0b6143a0e8cec0f1c6047c4b62db8cb0c2',
		steps: [],
		tests: 'npx lab -a @hapi/code -r tap'
	},
	{
		repository: 'nock/nock',
		commit: '07fbfab489ca878fda0db9ad34b1cee6381bb21c',
		steps: [],
		tests: 'npx mocha --recursive tests --reporter tap'
	},
	{
		repository: 'terkelg/prompts',
		commit: '58771d2911fc2a9c3751a0143ed66cf4321c8514',
		steps: [],
		tests: 'npx tape test/*.js'
	},
	{
		repository: 'websockets/ws',
		commit: 'a2f4e7c046c2112bbce6fef39a083dac77d6f0d2',
		steps: [],
		tests: 'npx mocha --reporter tap test/*.test.js',
		differences: 'A blob is read slower than a connection closes; the test that fails leaves its server open.'
	},
	{
		repository: 'pinojs/pino',
		commit: 'b394c2c16ac6a8919cd33d7f5684a01baca1096f',
		steps: [],
		// Without tests for browsers, which print TAP of their own.
		tests:
			'node --test --test-reporter=tap --test-timeout=20000 test/[!b]*.test.js test/basic.test.js test/broken-pipe.test.js'
	},
	{
		repository: 'handlebars-lang/handlebars.js',
		commit: '13a7a679910d2adbfe7f6fad61ce8f98426b0378',
		steps: [],
		installFlags: '--legacy-peer-deps',
		tests: 'npx vitest run --project node --reporter=tap'
	},
	{
		repository: 'cheeriojs/cheerio',
		commit: '808f8456b38a730497c675f1478d659cc4adfefe',
		steps: [],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'pallets/click',
		commit: '2c8cd3ac958a7eb316d67f2d316c27086c4c0369',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'flit_core'], editable: true },
		tests: `${PYTEST} tests`
	},
	{
		repository: 'pallets/jinja',
		commit: '5ef70112a1ff19c05324ff889dd30405b1002044',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'markupsafe', 'trio'] },
		tests: `PYTHONPATH=src ${PYTEST} tests`
	},
	{
		repository: 'pallets/flask',
		commit: '2ac89889f4cc330eabd50f295dcef02828522c69',
		steps: [],
		python: {
			requirements: [
				'pytest==8.4.2',
				'flit_core',
				'asgiref',
				'python-dotenv',
				'werkzeug',
				'jinja2',
				'click',
				'itsdangerous',
				'blinker',
				'markupsafe'
			],
			editable: true
		},
		tests: `${PYTEST} tests`,
		differences: 'Numbers of errors are those of the interpreter’s C library (`[Errno 44]`).'
	},
	{
		repository: 'python-attrs/attrs',
		commit: 'c1dc5dcba16ed827aa6dcad896b41a3afedb4e32',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'hypothesis', 'cloudpickle'] },
		tests: `PYTHONPATH=src ${PYTEST} tests`
	},
	{
		repository: 'Textualize/rich',
		commit: '42899d8a0a96b121a514516f4be9db44ff7aeaf3',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'attrs', 'pygments', 'markdown-it-py'] },
		tests: `PYTHONPATH=. ${PYTEST} tests`
	},
	{
		repository: 'pypa/packaging',
		commit: '053c884615f2e83d80705251b447769ec2599653',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'hypothesis', 'pretend', 'tomli_w'] },
		tests: `PYTHONPATH=src ${PYTEST} tests`
	},
	{
		repository: 'more-itertools/more-itertools',
		commit: '2fe1b2eeb9d75f994113fe3ac76d14b6bcd6fb10',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST} tests`
	},
	{
		repository: 'marshmallow-code/marshmallow',
		commit: '341b927f219205704728c05cd61f04d7e9727523',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'simplejson', 'packaging'] },
		tests: `PYTHONPATH=src ${PYTEST} tests`
	},
	{
		repository: 'pyparsing/pyparsing',
		commit: 'efd56db4e59f36b1673ce0eb0823e3afaa9d1201',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST} tests --ignore=tests/test_diagram.py`
	},
	{
		repository: 'andialbrecht/sqlparse',
		commit: '60cdc649726bf1bc4f1b336050560b336da715ec',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST} tests`
	},
	{
		repository: 'fastapi/typer',
		commit: '9a7b2e83f6b62c750d6026b0de9ebf2026a8b8fa',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'click', 'rich', 'shellingham', 'annotated-doc'] },
		tests: `PYTHONPATH=. ${PYTEST} tests`
	},
	{
		repository: 'mahmoud/boltons',
		commit: '967864f89791509f9eb36b22b4579d36b72a6df2',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST} tests`,
		differences:
			'A test compares lists that contain themselves, which ends the interpreter: the engine’s stack is used up before its own check.'
	},
	{
		repository: 'validatorjs/validator.js',
		commit: 'cdb7dafc281d14125b924969bf3ee5bc482ec169',
		installFlags: '--legacy-peer-deps',
		steps: [{ name: 'build', command: 'npm run build' }],
		tests: 'npx mocha --require @babel/register --reporter tap --recursive'
	},
	{
		repository: 'pmndrs/zustand',
		commit: 'f094eebe9bd3b4b0d77b997f69ab1d273f69a877',
		install: 'rm package-lock.json && npm install --ignore-scripts --no-audit --no-fund',
		steps: [{ name: 'types', command: 'npx tsc --noEmit' }],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'pytest-dev/pluggy',
		commit: 'e382e72789f8d791991c489d4322aa04e660b952',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=src ${PYTEST} testing`
	},
	{
		repository: 'uuidjs/uuid',
		commit: '70177807e9229dfacde2038dc1e722f1828f358a',
		steps: [{ name: 'build', command: 'npm run build' }],
		tests: 'node --test --test-reporter=tap --enable-source-maps dist-node/test/*.js',
		differences: 'A file without tests counts as a test: natively under its absolute path, here under its relative one.'
	},
	{
		repository: 'ianstormtaylor/superstruct',
		commit: 'e414c8afd3b69f6bc0173b8ee25f71d8e5694f01',
		steps: [
			{ name: 'build', command: 'npm run build' },
			{ name: 'types', command: 'npm run test:types' }
		],
		tests: 'npx vitest run --reporter=tap'
	},
	{
		repository: 'josdejong/mathjs',
		commit: 'f7c10b1bc1324a25d117b668ea9a9c0232e2068e',
		steps: [],
		tests: 'npx mocha --reporter tap test/unit-tests'
	},
	{
		repository: 'lukeed/kleur',
		commit: 'fa3454483899ddab550d08c18c028e6db1aab0e5',
		steps: [],
		tests: 'npx uvu -r esm -i utils -i xyz'
	},
	{
		repository: 'hynek/structlog',
		commit: '025edaf799c6d6d511ab672d14c2ba8e885c4c36',
		steps: [],
		// Without what needs time-machine, which is compiled.
		python: { requirements: ['pytest==9.1.1', 'pytest-asyncio', 'simplejson'] },
		tests: `PYTHONPATH=src ${PYTEST} tests --ignore=tests/processors/test_renderers.py --ignore=tests/test_generic.py`,
		differences:
			'Locals of threads are a class in Python here: the message of a missing attribute says `local`, not `_thread._local`.'
	},
	{
		repository: 'tkem/cachetools',
		commit: '28d4506f2a49d781ffbcecb095fa7aba5bb80aff',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=src ${PYTEST} tests`
	},
	{
		repository: 'python-poetry/tomlkit',
		commit: 'd8ed1e3cdb024dfc2c6f12b45a0dfd4d4d91f727',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'pyyaml'] },
		tests: `PYTHONPATH=. ${PYTEST} tests --ignore=tests/test_toml_tests.py`
	},
	{
		repository: 'pytoolz/toolz',
		commit: '568c2b8393973cd172a466546c9d95779c452438',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST}`,
		differences: 'Python cannot fork: `multiprocessing` has no pools of processes.'
	},
	{
		repository: 'bottlepy/bottle',
		commit: '2a743a302a71460bfe4c0b8b7cb99a306b0328c6',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST} test`
	}
];
