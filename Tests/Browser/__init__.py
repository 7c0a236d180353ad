# SPDX-License-Identifier: Apache-2.0
"""A package, so that the fixtures of its scope end before the tests of another folder begin: no event loop can start in
a process in which Playwright's runs."""
