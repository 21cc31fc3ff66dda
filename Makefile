# Nine words. Each installs what it needs first.

# SwiftPM hands the traits to the compiler in the order of a set, and another order means compiling everything again;
# SWIFT_DETERMINISTIC_HASHING=1 keeps that order from one build to the next. Tests run without it: they shall see every order.

.PHONY: setup bench test self-test check clean tsan nightly pages

setup:
	@scripts/setup

# Builds in release mode, runs a quick benchmark and conformance pass, says where the report is.
bench: setup
	@scripts/bench

# The whole test suite.
test: setup
	@scripts/test

# The suite before broken engines, which are a build of their own: some minutes.
self-test:
	@scripts/self-test

# The one gate: format, both builds, tests, conformance, mutants.
check: setup
	@scripts/check

# The tests of the engine under ThreadSanitizer: nightly, some minutes.
tsan: setup
	@scripts/tsan

# The long lanes, each for twenty minutes; see scripts/nightly --help.
nightly: setup
	@scripts/nightly

# Every kind of page in a headless browser: console, filter, sorting, folds, widths, themes, paper.
pages: setup
	@scripts/pages

clean:
	rm -rf .build .build-tsan .build-tsan-probes .build-asan .build-nightly .build-mutants
