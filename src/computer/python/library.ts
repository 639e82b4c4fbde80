import compressors from './lib/compressors.py?raw';
import console from './lib/console.py?raw';
import eventLoop from './lib/event_loop.py?raw';
import httpServer from './lib/http_server.py?raw';
import main from './lib/main.py?raw';
import patches from './lib/patches.py?raw';
import outside from './lib/outside.py?raw';
import pip from './lib/pip.py?raw';
import pipCompiled from './lib/pip_compiled.py?raw';
import pipIndex from './lib/pip_index.py?raw';
import pipInstall from './lib/pip_install.py?raw';
import pipModules from './lib/pip_modules.py?raw';
import pipOptions from './lib/pip_options.py?raw';
import pipPackages from './lib/pip_packages.py?raw';
import pipProject from './lib/pip_project.py?raw';
import pipReports from './lib/pip_reports.py?raw';
import pipRequirements from './lib/pip_requirements.py?raw';
import pipSetup from './lib/pip_setup.py?raw';
import pipSource from './lib/pip_source.py?raw';
import pipVersions from './lib/pip_versions.py?raw';
import pipWheel from './lib/pip_wheel.py?raw';
import addresses from './lib/addresses.py?raw';
import alarms from './lib/alarms.py?raw';
import channels from './lib/channels.py?raw';
import datagrams from './lib/datagrams.py?raw';
import keyDerivation from './lib/key_derivation.py?raw';
import kernel from './lib/kernel.py?raw';
import localTime from './lib/local_time.py?raw';
import multiprocessing from './lib/multiprocessing.py?raw';
import polling from './lib/polling.py?raw';
import prompt from './lib/prompt.py?raw';
import pytest from './lib/pytest/__init__.py?raw';
import pytestMain from './lib/pytest/__main__.py?raw';
import asserts from './lib/pytest/asserts.py?raw';
import builtin from './lib/pytest/builtin.py?raw';
import collecting from './lib/pytest/collecting.py?raw';
import configuration from './lib/pytest/configuration.py?raw';
import fixtures from './lib/pytest/fixtures.py?raw';
import running from './lib/pytest/running.py?raw';
import session from './lib/pytest/session.py?raw';
import sockets from './lib/sockets.py?raw';
import sqliteShell from './lib/sqlite_shell.py?raw';
import standardInput from './lib/standard_input.py?raw';
import subprocesses from './lib/subprocesses.py?raw';
import terminal from './lib/terminal.py?raw';
import threads from './lib/threads.py?raw';
import tls from './lib/tls.py?raw';
import venv from './lib/venv.py?raw';

/** Searched last, so that the real pytest and pip take precedence once they are installed. */
const FALLBACK = '_sandglass/fallback';

/** Our own Python modules: name in the archive with the standard library → source. None of them is in the volume. */
export const OWN: Record<string, string> = {
	'_multiprocessing.py': multiprocessing,
	'_sandglass/__init__.py': '"""What Python needs of the sandbox."""\n',
	'_sandglass/main.py': main,
	'_sandglass/compressors.py': compressors,
	'_sandglass/console.py': console,
	'_sandglass/alarms.py': alarms,
	'_sandglass/addresses.py': addresses,
	'_sandglass/channels.py': channels,
	'_sandglass/datagrams.py': datagrams,
	'_sandglass/kernel.py': kernel,
	'_sandglass/key_derivation.py': keyDerivation,
	'_sandglass/local_time.py': localTime,
	'_sandglass/patches.py': patches,
	'_sandglass/polling.py': polling,
	'_sandglass/prompt.py': prompt,
	'_sandglass/event_loop.py': eventLoop,
	'_sandglass/standard_input.py': standardInput,
	'_sandglass/subprocesses.py': subprocesses,
	'_sandglass/sockets.py': sockets,
	'_sandglass/sqlite_shell.py': sqliteShell,
	'_sandglass/terminal.py': terminal,
	'_sandglass/http_server.py': httpServer,
	'_sandglass/threads.py': threads,
	'_sandglass/venv.py': venv,
	'_sandglass/tls.py': tls,
	'_sandglass/outside.py': outside,
	[`${FALLBACK}/pip/__init__.py`]: '"""Installs packages that consist of Python."""\n',
	[`${FALLBACK}/pip/__main__.py`]: pip,
	[`${FALLBACK}/pip/compiled.py`]: pipCompiled,
	[`${FALLBACK}/pip/index.py`]: pipIndex,
	[`${FALLBACK}/pip/install.py`]: pipInstall,
	[`${FALLBACK}/pip/modules.py`]: pipModules,
	[`${FALLBACK}/pip/options.py`]: pipOptions,
	[`${FALLBACK}/pip/packages.py`]: pipPackages,
	[`${FALLBACK}/pip/project.py`]: pipProject,
	[`${FALLBACK}/pip/reports.py`]: pipReports,
	[`${FALLBACK}/pip/requirements.py`]: pipRequirements,
	[`${FALLBACK}/pip/setup.py`]: pipSetup,
	[`${FALLBACK}/pip/source.py`]: pipSource,
	[`${FALLBACK}/pip/versions.py`]: pipVersions,
	[`${FALLBACK}/pip/wheel.py`]: pipWheel,
	[`${FALLBACK}/pytest/__init__.py`]: pytest,
	[`${FALLBACK}/pytest/__main__.py`]: pytestMain,
	[`${FALLBACK}/pytest/asserts.py`]: asserts,
	[`${FALLBACK}/pytest/builtin.py`]: builtin,
	[`${FALLBACK}/pytest/collecting.py`]: collecting,
	[`${FALLBACK}/pytest/configuration.py`]: configuration,
	[`${FALLBACK}/pytest/fixtures.py`]: fixtures,
	[`${FALLBACK}/pytest/running.py`]: running,
	[`${FALLBACK}/pytest/session.py`]: session
};
