"""asyncio without a browser's event loop: timers and callbacks, run until they are done."""

import asyncio
import time


class Waiting:
    """Stands where a selector would: nothing arrives from outside, so it sleeps until the next timer."""

    def select(self, timeout):
        if timeout is None:
            raise RuntimeError("Everything waits for something that cannot happen: there are no sockets here.")
        if timeout > 0:
            time.sleep(timeout)
        return []

    def close(self):
        pass


class Loop(asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = Waiting()

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass

    async def run_in_executor_now(self, function, *args):
        return function(*args)

    def run_in_executor(self, executor, func, *args):
        """There is one thread: the function runs at once."""
        return self.create_task(self.run_in_executor_now(func, *args))


class Policy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = Loop


def install():
    asyncio.events._set_running_loop(None)
    asyncio.events._event_loop_policy = Policy()
    asyncio.run = asyncio.runners.run
    asyncio.DefaultEventLoopPolicy = Policy
