# SPDX-License-Identifier: Apache-2.0
# Every target is a script of the same name in scripts/, so that each can be
# run and read alone.

.DEFAULT_GOAL := help
.PHONY: help run demo test check format bench simulate soak fuzz clean

help:           ## say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run:            ## start a sandbox store and BuyFruit, and print where they are (PORT=, BUYFRUIT_PORT=)
	@scripts/run

demo:           ## one purchase from start to end, unattended, in a temporary directory
	@scripts/demo

test:           ## everything that CI runs
	@scripts/test

check:          ## format, import table and the other rules of ARCHITECTURE.md
	@command -v python3 >/dev/null || scripts/setup demo
	@scripts/check --self-test
	@scripts/check

format:         ## let swift format do what a machine can, then check
	@scripts/check --fix

bench:          ## the benchmarks, as ratios, in a release build (ROW=name for one)
	@scripts/bench $(ROW)

simulate:       ## play one seed of the simulation again, and print what happens in it (SEED=42)
	@scripts/simulate $(SEED)

soak:           ## the long tests: 100,000 simulated purchases, 1,000 under kills, a hostile client; the three-file app; no libpq
	@scripts/soak

fuzz:           ## the parsers of receipts, messages, queries and forms against libFuzzer, each so many SECONDS= (60)
	@scripts/fuzz $(SECONDS)

clean:          ## remove what was built and what `make run` keeps; the next build is a long one
	rm -rf .build .run .venv artifacts Fuzz/.build
