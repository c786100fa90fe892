# The front door. Every target that builds something sets the machine up first (.ci/setup), which is
# silent when nothing is missing.

PRESET ?= release
PREFIX ?= /usr/local
BUILD := build$(if $(filter-out release,$(PRESET)),-$(PRESET))
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help setup build test soak demo bench lint format install package vsix clean

help: ## this list
	@echo 'make TARGET [PRESET=release|debug|asan|tsan]'
	@echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

setup: ## install the packages that are missing
	@.ci/setup

build: setup ## configure and build the preset
	@cmake --preset $(PRESET) >/dev/null
	@cmake --build --preset $(PRESET)

test: build ## build and run the tests; for release, the fuzzing targets too
	ctest --preset $(PRESET)
ifeq ($(PRESET),release)
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	ctest --preset fuzz
endif

soak: build ## the tests over random traces, a million of them (TRACES=, SEED=); the recorder's, 20 times under load
	@BUILD=$(BUILD) tests/soak/run $(or $(TRACES),1000000) $(or $(SEED),1)
	@BUILD=$(BUILD) tests/recorder/soak
	@BUILD=$(BUILD) tests/soak/replay

demo: build ## record a small program, and show what another schedule of the run would have hit
	@BUILD=$(BUILD) tests/demo/run

bench: build ## measure against peers; prints ratios
	@missed=0; for part in run analysis causality witness record replay symbols source daemon edits; do BUILD=$(BUILD) tests/bench/$$part || missed=1; done; exit $$missed

lint: setup ## check format, includes and clang-tidy
	@cmake --preset lint >/dev/null
	@.ci/lint

format: setup ## format all sources in place
	@.ci/lint --fix-format

install: build ## install below PREFIX (/usr/local)
	cmake --install $(BUILD) --prefix $(PREFIX)

package: build ## make a Debian package
	cpack --config $(BUILD)/CPackConfig.cmake -B $(BUILD)/package
	@dpkg-deb --info $(BUILD)/package/*.deb

vsix: setup ## make the extension for VS Code
	@cd editors/vscode && npm run --silent check && npm run --silent bundle
	@mkdir -p build/package && cp LICENSE editors/vscode/
	@cd editors/vscode && npx --no-install vsce package --no-dependencies --allow-missing-repository -o ../../build/package/
	@rm editors/vscode/LICENSE

clean: ## remove everything that was built
	rm -rf build build-debug build-asan build-tsan build-fuzz build-lint editors/vscode/dist
