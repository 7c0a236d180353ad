# SPDX-License-Identifier: Apache-2.0
"""One absurd behaviour of a store."""


class Variant:
    """`answers` replaces ordinary answers by their paths. The scenario is over when `is_over(store, victim)` holds;
    without it, when each of these paths was answered once and the list of products isn't waited for."""

    def __init__(self, name, answers, is_over=None, windows=1):
        self.name, self.answers, self.windows = name, answers, windows
        self.is_over = is_over or (lambda store, victim: (
            all(store.answered.get(path) for path in answers) and not victim.state["isLoading"]))
