import { bash, edit, read, type Task } from '../task.ts';

/** gyp-next (Python), as published by node-gyp: a regression that its unittest suite detects. */
export const gyp: Task = {
	name: 'gyp-next',
	request: 'GetFlavorByPlatform answers wrongly on OpenBSD. Find the cause with the unit tests and fix it.',
	repository: {
		package: 'node-gyp',
		version: '11.2.0',
		below: 'gyp/pylib',
		without: ['gyp/generator'],
		files: { '.gitignore': '__pycache__\n' },
		replace: [
			{
				path: 'gyp/common.py',
				from: 'startswith("openbsd"):\n        return "openbsd"',
				to: 'startswith("openbsd"):\n        return "netbsd"'
			}
		],
		installs: false
	},
	steps: [
		bash('ls gyp && wc -l gyp/*.py | tail -1', 'common.py'),
		bash('grep -n "openbsd" -r . | head', 'gyp/common.py'),
		bash('python3 -m unittest gyp.common_test 2>&1 | tail -20', 'FAILED'),
		bash('sed -n 471,497p gyp/common.py', 'def GetFlavorByPlatform'),
		bash(
			"python3 - <<'EOF'\nfrom unittest.mock import patch\nimport gyp.common\nwith patch('sys.platform', 'openbsd5'):\n    print(gyp.common.GetFlavorByPlatform())\nEOF",
			'netbsd'
		),
		read('gyp/common.py', { offset: 484, limit: 6 }, 'openbsd'),
		edit(
			'gyp/common.py',
			'startswith("openbsd"):\n        return "netbsd"',
			'startswith("openbsd"):\n        return "openbsd"'
		),
		bash('python3 -m unittest gyp.common_test gyp.easy_xml_test gyp.input_test 2>&1 | tail -5', 'OK'),
		bash('python3 -m py_compile gyp/common.py && echo compiled', 'compiled'),
		bash('git status --short; git diff | head -20', '+        return "openbsd"'),
		bash('git commit -qam "Name OpenBSD" && git log --oneline | head -2', 'Name OpenBSD')
	],
	verdicts: [{ kind: 'tests', command: 'python3 -m unittest gyp.common_test gyp.easy_xml_test gyp.input_test' }]
};
