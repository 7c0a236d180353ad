# SPDX-License-Identifier: Apache-2.0
"""The browser and the stores that tests of this folder share, and the evidence of tests that fail."""

import shutil
import tempfile
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import fruit_shop
import page_shop as pages
from customer import ARTIFACTS, emptied, launch, photograph_all, store_with_file
from processes import ROOT

PASSED = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture
def has_failed(request):
    """Whether the test has failed, for the end of a fixture."""
    return lambda: not request.node.stash.get(PASSED, False)


@pytest.fixture(scope="package")
def browser():
    with tempfile.TemporaryDirectory(prefix="openstorekit-browser-") as folder, sync_playwright() as playwright:
        browser = launch(playwright, folder)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def store_of_fruit():
    """The store of all tests with the fixture `shop`, with its folder."""
    emptied(ARTIFACTS)
    with tempfile.TemporaryDirectory(prefix="openstorekit-fruit-") as folder:
        store = store_with_file(folder)
        try:
            store.serve()
            yield store
        finally:
            if store.log.exists():
                shutil.copy(store.log, ARTIFACTS / "store.log")
            store.stop()


@pytest.fixture
def shop(store_of_fruit, browser, request, has_failed):
    """A shop whose devices end with the test."""
    shop = fruit_shop.Shop(Path(store_of_fruit.log).parent, store_of_fruit, browser)
    yield shop
    shop.close(request.node.name.removeprefix("test_"), has_failed())


@pytest.fixture(scope="package")
def artifacts():
    """The folder for screenshots of the store's pages."""
    return emptied(ROOT / "artifacts" / "pages")


@pytest.fixture(scope="package")
def shared_pages(browser):
    """The store whose pages are shown. axe-core is in each page, and is compiled when a test loads it."""
    with tempfile.TemporaryDirectory(prefix="openstorekit-pages-") as folder:
        shop = pages.Shop(folder, browser, f"window.loadAxe = () => {{{Axe().axe_script}\n}}")
        try:
            shop.store.serve()
            yield shop
        finally:
            shop.store.stop()


@pytest.fixture
def page_shop(shared_pages, artifacts, request, has_failed):
    """The store whose pages are shown. A test that fails leaves a screenshot of the last one."""
    shared_pages.shown = None
    yield shared_pages
    if has_failed():
        if shared_pages.shown:
            photograph_all([shared_pages.shown.context], artifacts, request.node.name)
        print(f"--- {shared_pages.store.name}\n{shared_pages.store.tail(12)}")


@pytest.fixture
def customer(page_shop):
    """A customer in a wide window, whose network and routes are as before when the test has ended."""
    customer = pages.Customer(page_shop)
    customer.page.set_viewport_size(pages.WINDOW)
    customer.page.emulate_media(color_scheme="light", forced_colors="none")
    yield customer
    customer.context.set_offline(False)
    customer.page.unroute_all()
