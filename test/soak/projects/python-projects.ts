import type { Project } from './project.ts';

/** Prints each test with its verdict. */
const PYTEST = 'python -m pytest -p no:cacheprovider -rA -q --tb=no';

/** A package that is not needed beyond this function: `ephemeral_port_reserve`. */
const PORT_RESERVE = String.raw`printf 'import socket\n\ndef reserve(ip):\n\twith socket.socket() as s:\n\t\ts.bind((ip, 0))\n\t\treturn s.getsockname()[1]\n' > ephemeral_port_reserve.py`;

/** Projects of Python. */
export const PYTHON_PROJECTS: Project[] = [
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
		repository: 'pytest-dev/pluggy',
		commit: 'e382e72789f8d791991c489d4322aa04e660b952',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=src ${PYTEST} testing`
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
	},
	{
		repository: 'lepture/mistune',
		commit: 'b5dd9949baf3729a709ef8ae591eab86e72a9e46',
		steps: [],
		// Without the tests that compare times.
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=src ${PYTEST} tests -k "not near_linear"`
	},
	{
		repository: 'tqdm/tqdm',
		commit: 'f6a30fab726ab8e794a9db88b4392ce207760937',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'pytest-timeout', 'pytest-asyncio'] },
		tests: `PYTHONPATH=. ${PYTEST} tests`,
		differences:
			'`multiprocessing` starts no processes; a wait costs more processor time than the tests of performance allow.'
	},
	{
		repository: 'psf/requests',
		commit: '1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'urllib3', 'idna', 'certifi', 'charset_normalizer', 'pytest-mock'] },
		tests: `PYTHONPATH=src ${PYTEST} tests`,
		differences:
			'There are no servers of TLS, and the name of a proxy that is nowhere is not looked up before a request; a test is named after the folder of pytest.'
	},
	{
		repository: 'pallets/werkzeug',
		commit: '1b00618e787f40dfb21eba29caf8f8be7c8e1d93',
		steps: [],
		python: {
			requirements: ['pytest==9.1.1', 'flit_core', 'markupsafe', 'cffi', 'cryptography', 'pytest-timeout', 'watchdog'],
			editable: true
		},
		tests: `${PORT_RESERVE} && PYTHONPATH=. ${PYTEST} --timeout=20 tests`,
		differences: 'There are no servers of TLS and no number of the machine.'
	},
	{
		repository: 'dateutil/dateutil',
		commit: 'c981f9c7aa91b83cc9bd33a09ecee9e751b06e8d',
		steps: [],
		python: { requirements: ['pytest==9.1.1', 'six', 'freezegun'] },
		tests: `PYTHONPATH=src ${PYTEST} -o filterwarnings= tests --ignore=tests/property`,
		differences: 'There is no `/etc/localtime`.'
	},
	{
		repository: 'arrow-py/arrow',
		commit: 'b247ad073d4c350270528edb5afff8e7f4f7d9e4',
		steps: [],
		python: {
			requirements: ['pytest==9.1.1', 'python-dateutil', 'tzdata', 'dateparser', 'pytest-mock', 'pytz', 'simplejson']
		},
		tests: `PYTHONPATH=. ${PYTEST} -o addopts= tests`,
		differences: 'dateparser needs a compiled package; there is no `localtime` among the time zones.'
	},
	{
		repository: 'networkx/networkx',
		commit: 'cfc6b79fc53f583aa15a79b2187ae30bd4f480ed',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST} networkx/classes networkx/utils networkx/readwrite`
	},
	{
		repository: 'pygments/pygments',
		commit: '6a62df1d1fc77af7e9fc61325ef376297cadffbb',
		steps: [],
		python: { requirements: ['pytest==9.1.1'] },
		tests: `PYTHONPATH=. ${PYTEST} tests --ignore=tests/contrast`
	}
];
