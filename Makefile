# Five words. Each installs what it needs first.

.PHONY: setup bench test check clean tsan

setup:
	@scripts/setup

# Builds in release mode, runs a quick benchmark and conformance pass, says where the report is.
bench: setup
	@scripts/bench

# The whole test suite.
test: setup
	swift test --parallel

# The one gate: format, release build, tests, conformance, mutants.
check: setup
	@scripts/check

# The tests of the engine under ThreadSanitizer: slow, nightly.
tsan: setup
	swift test --sanitize=thread --scratch-path .build-tsan --filter ReferenceEngineTests

clean:
	rm -rf .build .build-tsan
