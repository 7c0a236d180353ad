# SPDX-License-Identifier: Apache-2.0
"""Wrong answers, which a test collects before it fails with all of them."""

SHOWN = 12  # findings in a report


def check(findings, what, answer, status, *codes):
    """Adds an answer to the findings if it has another status, or none of the codes."""
    if answer.status != status or (codes and answer.code not in codes):
        findings.append(f"{what} was answered {answer}, expected {status} {' or '.join(codes)}")


def report(findings):
    return f"{len(findings)} findings:\n" + "\n".join(findings[:SHOWN])
