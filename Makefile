# SPDX-License-Identifier: Apache-2.0
# Each target but help, format and clean runs the script of the same name in
# scripts/, which can also be run and read alone.

.DEFAULT_GOAL := help
.PHONY: help run demo garden quick test check format docs bench simulate soak fuzz dist wheel deb clean

help:           ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run:            ## start a sandbox store and BuyFruit, and print their addresses (PORT=, BUYFRUIT_PORT=)
	@scripts/run

demo:           ## one purchase from start to end, unattended, in a temporary directory
	@scripts/demo

garden:         ## start a sandbox store, FlowerGarden's back end and FlowerGarden, and print their addresses
	@scripts/garden

quick:          ## under a minute: the tests that a change most often breaks, on SQLite in memory (after a build)
	@scripts/quick

test:           ## everything that CI runs
	@scripts/test

check:          ## format, imports and the rules of ARCHITECTURE.md that a script can check
	@command -v python3 >/dev/null || scripts/setup demo
	@scripts/check --self-test
	@scripts/check

format:         ## run swift format, then check
	@command -v python3 >/dev/null || scripts/setup demo
	@scripts/check --fix

docs:           ## the documentation of the public modules, in artifacts/documentation (after a build of the tests)
	@command -v python3 >/dev/null || scripts/setup demo
	@scripts/documentation

bench:          ## the benchmarks, as ratios, in a release build (ROW=name for one)
	@scripts/bench $(ROW)

simulate:       ## repeat one seed of the simulation, and print the run (SEED=42, WORLD=subscriptions, downloads, families, transactions or agreements)
	@scripts/simulate $(SEED) $(WORLD)

soak:           ## the long tests: 100,000 simulated purchases, 20,000 of apps of StoreKit 2, 20,000 subscriptions, 10,000 downloads and 100,000 charges with their agreements, 1,000 under kills, a hostile client; the three-file app; no libpq
	@scripts/soak

fuzz:           ## fuzz the parsers of receipts, messages, queries and forms with libFuzzer, each for SECONDS= (60)
	@scripts/fuzz $(SECONDS)

dist:           ## a tar file with storectl and storeagentd for Linux: Swift's runtime and SQLite inside, no PostgreSQL (20 minutes)
	@scripts/dist

wheel:          ## the wheels openstorekit, with that storectl inside, and pytest-openstorekit
	@scripts/wheel

deb:            ## a Debian package with storeagentd and a storectl that has PostgreSQL, and units of systemd
	@scripts/deb

clean:          ## remove build products and the data of `make run`; the next build takes long
	rm -rf .build .run .venv artifacts Fuzz/.build
