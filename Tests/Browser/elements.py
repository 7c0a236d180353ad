# SPDX-License-Identifier: Apache-2.0
"""Reads and fills in a page by its own document, and presses its buttons by the keyboard.

Playwright's locators do the same. They add a script of Playwright to each new page, which takes as long as the page
does.
"""

from playwright.sync_api import Error

from processes import wait_until

FILL = """([button, values, optional]) => {
    const pressed = document.querySelector(button);
    if (!pressed) return `no form has the button ${button}`;
    for (const [name, value] of Object.entries({...optional, ...values})) {
        const field = pressed.form.querySelector(`[name='${name}']`);
        if (!field?.checkVisibility() || field.disabled || field.readOnly) {
            if (!(name in values)) continue;
            return `the form has no field ${name} that can be filled in`;
        }
        field.value = value;
        if (field.value !== value) return `the field ${name} can't have the value ${value}`;
    }
    pressed.focus();
    return document.activeElement === pressed ? "" : `the button ${button} can't be reached`;
}"""
# Whether an element that can be seen matches.
SHOWN = "selector => [...document.querySelectorAll(selector)].some((element) => element.checkVisibility())"


def count(page, selector):
    """The number of elements that match."""
    return page.evaluate("selector => document.querySelectorAll(selector).length", selector)


def value(page, selector):
    """The value of a field."""
    return page.evaluate("selector => document.querySelector(selector).value", selector)


def text(page, selector):
    """The text of the first element that matches, as a reader sees it."""
    return page.evaluate("selector => document.querySelector(selector).innerText", selector)


def wait_for(page, selector):
    """Waits until an element that can be seen matches."""
    def is_shown():
        try:
            return page.evaluate(SHOWN, selector)
        except Error as error:
            if "context was destroyed" in error.message:
                return False  # The page has been replaced meanwhile.
            raise

    wait_until(f"{page.url} shows {selector}", is_shown)


def fill(page, button, values, optional=()):
    """Fills in fields of a button's form, by their names, and gives the button the focus. Optional ones that the form
    doesn't have are left out."""
    refusal = page.evaluate(FILL, [button, values, dict(optional)])
    assert not refusal, f"{page.url}: {refusal}"


def press(page, button, values=(), optional=()):
    """Fills in fields of a button's form, presses the button by the keyboard, and waits for the page that follows."""
    fill(page, button, dict(values), optional)
    with page.expect_navigation():
        page.keyboard.press("Enter")
