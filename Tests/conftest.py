# SPDX-License-Identifier: Apache-2.0
"""The fixtures of all Python tests, and the engines that they run on.

A test gets a folder of its own, and runs on SQLite. `pytestmark = pytest.mark.engines("sqlite", "postgresql")` runs
each test of a file on both; with `soak=["postgresql"]` only `make soak` runs it on that engine. The cluster is that of `scripts/postgres run`, which `scripts/pytest` starts.

Of a test with `pytest.mark.sampled` each change runs one in two of the parameters, neighbours in their list, and `make soak`
all. SAMPLE_SEED chooses them (default: at random); without `-m 'not soak'` all run.
"""

import itertools
import os
import random
import secrets
import shutil
import tempfile
from pathlib import Path

import pytest
from _pytest.nodeid import NodeId

pytest.register_assert_rewrite("harness", "processes")
pytest_plugins = ["processor_time"]


def pytest_configure(config):
    """Makes the folder of the first starts that the stores of all workers copy (see scripts/processes.py), and the key of
    their authorities."""
    config.addinivalue_line("markers", "sampled: each change runs one in two of its parameters")
    if not hasattr(config, "workerinput"):
        os.environ.setdefault("SAMPLE_SEED", str(secrets.randbelow(1 << 32)))
        os.environ["FIRST_STARTS"] = tempfile.mkdtemp(prefix="first-starts.")
        os.environ["OPENSTOREKIT_AUTHORITY_KEY"] = secrets.token_hex(32)


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop("FIRST_STARTS"), ignore_errors=True)


def pytest_generate_tests(metafunc):
    """Makes the engine a parameter of a test that names more than one."""
    mark = metafunc.definition.get_closest_marker("engines")
    long = [pytest.param(engine, marks=pytest.mark.soak) for engine in mark.kwargs.get("soak", [])] if mark else []
    if mark and len(mark.args) + len(long) > 1:
        metafunc.parametrize("engine", [*mark.args, *long], indirect=True)


def pytest_report_header():
    return f"SAMPLE_SEED={os.environ['SAMPLE_SEED']}"


def leave_out(items):
    """Leaves one in two parameters of the sampled tests to `make soak`. All workers choose the same ones."""
    chance = random.Random(os.environ["SAMPLE_SEED"])
    sampled = [item for item in items if item.get_closest_marker("sampled") and not item.get_closest_marker("soak")]
    for _, tests in itertools.groupby(sampled, lambda item: item.nodeid.partition("[")[0]):
        tests = list(tests)
        for pair in (tests[place:place + 2] for place in range(0, len(tests), 2)):
            for left in chance.sample(pair, len(pair) - 1):
                left.add_marker(pytest.mark.soak)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Lets the slow tests start first, so that none of them is alone in the end. Adds the groups to the tests'
    identifiers, from which pytest-xdist's scheduler reads them: pytest-xdist 3.8 adds them where pytest 9.2 doesn't
    look."""
    leave_out(items)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        mark = item.get_closest_marker("xdist_group")
        if mark and hasattr(config, "workerinput"):
            item._id = NodeId.parse(f"{item.nodeid}@{mark.args[0]}")


@pytest.fixture(scope="session", autouse=True)
def cluster():
    """The URL of the cluster. The stores of the fixtures of modules and sessions don't use it."""
    url = os.environ.pop("OPENSTOREKIT_POSTGRES", None)
    yield url
    if url:
        os.environ["OPENSTOREKIT_POSTGRES"] = url


@pytest.fixture(autouse=True)
def engine(request, monkeypatch, cluster):
    """The engine of the stores of a test: "sqlite" or "postgresql"."""
    mark = request.node.get_closest_marker("engines")
    chosen = getattr(request, "param", mark.args[0] if mark else "sqlite")
    if chosen == "postgresql":
        assert cluster, "There is no cluster: run the tests by scripts/pytest."
        monkeypatch.setenv("OPENSTOREKIT_POSTGRES", cluster)
    return chosen


@pytest.fixture
def folder():
    """A folder of a test, with a path that is short enough for a Unix socket in it."""
    with tempfile.TemporaryDirectory(prefix="processes.") as path:
        yield Path(path)
