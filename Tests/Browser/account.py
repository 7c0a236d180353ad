# SPDX-License-Identifier: Apache-2.0
"""A customer's actions on the store's page of subscriptions, `/account/subscriptions`."""

from processes import PASSWORD


def sign_in(page, email, password=PASSWORD):
    page.locator("#email").fill(email)
    page.locator("#password").fill(password)
    page.locator("#sign-in").click()


def press_on_card(page, value):
    """Types the password, which a store without https asks for each time, and presses a button."""
    card = page.locator("section.subscription")
    card.locator("input[type=password]").fill(PASSWORD)
    card.locator(f'button[value="{value}"]').click()


def says(element, *sentences):
    """Waits until the text of an element has all the sentences."""
    for sentence in sentences:
        element.filter(has_text=sentence).wait_for()
