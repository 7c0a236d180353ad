# SPDX-License-Identifier: Apache-2.0
"""A person at Connect in a browser, whose fields and clicks are counted for each task."""

import contextlib

from customer import PATIENCE


class Person:
    """Types into fields and presses links and buttons. Addresses are opened only before a task begins."""

    def __init__(self, browser, counts):
        self.context = browser.new_context(locale="en-GB", accept_downloads=True)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.counts, self.fields, self.clicks = counts, 0, 0
        self.errors = []
        self.context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def open(self, address):
        self.page.goto(address)

    @contextlib.contextmanager
    def task(self, name):
        """Counts the fields and clicks of the block, and keeps them under the name of the task."""
        self.fields = self.clicks = 0
        yield
        assert self.counts.setdefault(name, (self.fields, self.clicks)) == (self.fields, self.clicks), (
            f"{name}: {self.fields} fields and {self.clicks} clicks, and once {self.counts[name]}")

    def click(self, selector):
        """Presses the first such link or button, and waits for the page to which it leads."""
        self.clicks += 1
        with self.page.expect_navigation():
            self.page.locator(selector).first.click()

    def go(self, place):
        """Presses a link of the navigation."""
        self.click(f".bar nav a[href='/connect/{place}']")

    def follow(self, end):
        """Presses the first link of the contents whose address ends so."""
        self.click(f"main a[href$='{end}']")

    def form(self, decision, **with_field):
        fields = "".join(f":has([name='{name}'])" for name in with_field)
        return f"main form:has(button[value='{decision}']){fields}"

    def send(self, decision, **values):
        """Fills the fields of a form, and presses its button. A file is a tuple of its name, its type and its bytes."""
        form = self.form(decision, **values)
        for name, value in values.items():
            self.fields += 1
            field = self.page.locator(form).first.locator(f"[name='{name}']")
            if isinstance(value, tuple):
                field.set_input_files(dict(zip(("name", "mimeType", "buffer"), value)))
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.click(f"{form} button[value='{decision}']")
        assert not self.page.locator("p.problem, #message").count(), (
            f"{decision} was refused: {self.page.locator('p.problem, #message').all_inner_texts()}")

    def reads(self, text):
        """Waits until the contents have a text."""
        self.page.locator("main", has_text=text).wait_for()

    def close(self):
        self.context.close()
