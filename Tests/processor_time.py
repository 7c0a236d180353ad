# SPDX-License-Identifier: Apache-2.0
"""The processor time of the tests: `scripts/pytest --processor-time=40` prints that of each file, and the 40 tests that
take most.

The time of a test is that of its worker and of all processes that the worker has started, also of those that go on for
other tests. So the first test that uses a shared store pays for its start. The cluster of PostgreSQL isn't counted.
"""

import os
import resource
import time
from collections import defaultdict
from pathlib import Path

import pytest

STARTED = pytest.StashKey()
TICKS = os.sysconf("SC_CLK_TCK")


def pytest_addoption(parser):
    parser.addoption("--processor-time", type=int, metavar="N", default=None,
                     help="show the processor time of each file, and the N tests that take most")


def pytest_configure(config):
    if config.getoption("--processor-time") is not None:
        config.pluginmanager.register(ProcessorTime(config))


def processor_time():
    """The seconds that this process and those that it has started have computed since its start."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used) + running_time()


def running_time():
    """The seconds of the descendants that haven't ended, and of those that they have waited for."""
    children, seconds = defaultdict(list), {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            # proc_pid_stat(5): the name of the program, in parentheses, is the second field, and may have blanks.
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended.
        children[int(fields[1])].append(int(file.parent.name))
        seconds[int(file.parent.name)] = sum(map(int, fields[11:15])) / TICKS
    below, total = [*children[os.getpid()]], 0.0
    while below:
        process = below.pop()
        total += seconds[process]
        below += children[process]
    return total


class ProcessorTime:
    """Adds the seconds of a test to the report of its end, which a worker sends to the process that prints."""

    def __init__(self, config):
        self.config, self.tests, self.began = config, {}, time.monotonic()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        item.stash[STARTED] = processor_time()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if call.when == "teardown":
            # A process that ends without a parent that waits for it takes its time along.
            report.processor_time = max(processor_time() - item.stash[STARTED], 0)
        return report

    def pytest_runtest_logreport(self, report):
        if hasattr(report, "processor_time"):
            self.tests[report.nodeid] = report.processor_time

    def pytest_terminal_summary(self, terminalreporter):
        files = defaultdict(list)
        for test, seconds in self.tests.items():
            files[test.partition("::")[0]].append(seconds)
        everything, tests = processor_time(), sum(self.tests.values())
        terminalreporter.section("processor time")
        terminalreporter.line(
            f"{everything:8.1f} s, of which the tests {tests:.1f} s, in {time.monotonic() - self.began:.0f} s")
        for file, times in sorted(files.items(), key=lambda row: -sum(row[1])):
            terminalreporter.line(f"{sum(times):8.1f} s  {len(times):4}  {file}")
        slowest = sorted(self.tests.items(), key=lambda row: -row[1])
        for test, seconds in slowest[:self.config.getoption("--processor-time")]:
            terminalreporter.line(f"{seconds:8.2f} s  {test}")
