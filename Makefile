# The verbs of a developer, and of anybody who wants to try Vander. Each does its own set-up in .venv.
#
#   make run     the assistant at http://localhost:8080, with the virtual tray until another camera is chosen there
#   make hall    a hall for many tables at http://localhost:8090, with a PostgreSQL and a Mosquitto of its own in build
#   make check   style, types, import contracts and the quick tests: what to run before each commit
#   make test    all of that, with the slow tests and those that drive a browser
#   make test-box what the box needs of a real system: libcamera, systemd, kill -9; PARTS="arm64 kernel fuzz" for more
#   make bench   how fast a frame is read and the page changes, and with PHOTOS=DIR how well photographs are read,
#                beside the usual ways, with a page of the worst dice (worst.html)
#   make bench-contact photographs and films of others (PHOTOS=DIR), public formats, cameras and lamps; CONTACT=--quick
#   make bench-fair how the referee judges cheats, honest mishaps and plain throws that are staged; FAIR="--repeats 20"
#   make screens draw every phase of every game on tablet, phone (also on its side) and television into docs/screens
#   make pictures film a throw and draw the README's screens into docs/pictures (minutes, with the virtual tray)
#   make site    the pages of docs as a site to be read in a browser: build/site/index.html
#   make mutants how many small faults put into the referee the tests notice (an hour or more)
#   make messages bring web/locales up to date with the sentences in the code
#   make lock    write anew which versions the box installs, with their checksums (systemd/requirements.lock)
#   make image   an OCI image for a table or a hall in build/image, without Docker (root, Debian); ARCH=arm64 for a Pi
#   make models  train the models anew (PyTorch: gigabytes, and hours)
#   make cycles  install Blender's bpy into .venv-cycles (Python 3.11, 1 GB), which renders trays for training and choosing
#   make clean   remove what was made here, the virtual environment too

PYTHON ?= python3
VENV ?= .venv
CAMERA ?=
PHOTOS ?=
PICTURES ?= build/pictures
PARTS ?= camera service api crash
FAIR ?=
CONTACT ?=
HALL_DATA ?= build/hall
HALL_PORT ?= 8090
# One more than there are cores, since tests also wait: for a browser, for a clock of their own, for a disk. Each further one
# costs the start of a browser, of PostgreSQL and of the models once more, and two cores have nothing left to do with three.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
BOX_CACHE ?= $(CURDIR)/build/box

# On Raspberry Pi OS picamera2 comes with the system and is seen only from an environment that looks there too.
# That of Debian 12 (Python 3.11) is built for NumPy 1, so that a newer NumPy in the environment would break it.
PICAMERA := $(shell $(PYTHON) -c 'import importlib.util as u, sys; \
	print(u.find_spec("picamera2") and sys.version_info.minor or "")' 2>/dev/null)
VENV_OPTIONS ?= $(if $(PICAMERA),--system-site-packages)
PINS ?= $(if $(filter 11,$(PICAMERA)),'numpy<2' 'opencv-python-headless<4.12')

BIN := $(VENV)/bin
TRAINING := $(BIN)/python -m models.training
# Workers take tests from each other, so that a slow test at the end keeps nobody waiting. They share the cores, so that each
# computes in one thread: more of OpenCV's and OpenBLAS's would take a third more work, waiting for one another.
# Where there are 2 GB of it, tests keep their files in memory: a disk lets each journal that is made or written to wait for
# tens of milliseconds, and all workers wait for the same disk.
MEMORY := $(shell test "$$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 2000000 2>/dev/null && echo /dev/shm)
PYTEST := PYTEST_DEBUG_TEMPROOT=$(MEMORY) $(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal
# While mypy keeps one core, the other compiles the tests with their asserts rewritten, which each worker would else do for
# itself: 17 s of processor time for each of four workers, where they then need 9. What fails here the tests themselves show.
define STATIC_CHECKS
$(BIN)/ruff check .
$(BIN)/ruff format --check .
$(BIN)/lint-imports
$(BIN)/python -m pytest --collect-only >/dev/null 2>&1 & $(BIN)/mypy; checked=$$?; wait; exit $$checked
endef
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check $(PINS)

.PHONY: run hall check test test-box image bench bench-contact bench-fair house screens pictures site mutants lock messages models posture traced arrival cycles clean

run: $(VENV)/.with-core
	$(BIN)/vander play $(if $(CAMERA),--camera $(CAMERA))

# Bytecode is kept: many tests start programs of their own.
unexport PYTHONDONTWRITEBYTECODE

hall: $(VENV)/.with-hall
	$(BIN)/vander hall --try --data-dir '$(HALL_DATA)' --port $(HALL_PORT)

check test: export OPENCV_FOR_THREADS_NUM := 1
check test: export OPENBLAS_NUM_THREADS := 1

check: $(VENV)/.with-tests
	$(STATIC_CHECKS)
	$(BIN)/python bench/house.py
	$(PYTEST) -m 'not slow and not browser'

# With CI set, the 40 slowest tests are printed, and how many seconds each folder took.
test: $(VENV)/.with-tests
	$(STATIC_CHECKS)
	$(PYTEST) $(if $(CI),--durations=40)

# Each part builds what it needs once, and keeps it; docs/box.md says what it proves.
test-box: $(VENV)/.with-tests
	$(foreach part,$(PARTS),$(if $(wildcard bench/box/$(part)/build.sh),\
		mkdir -p '$(BOX_CACHE)/$(part)' && bash bench/box/$(part)/build.sh '$(BOX_CACHE)/$(part)' &&) \
		VANDER_BOX_CACHE='$(BOX_CACHE)/$(part)' $(BIN)/python -m pytest -o timeout=0 bench/box/$(part) &&) true

image: $(VENV)/.with-core
	bash image/build.sh

bench: $(VENV)/.with-tests
	$(BIN)/vander bench speed
	$(BIN)/python bench/tablet.py
	$(if $(PHOTOS),$(BIN)/vander bench photos '$(PHOTOS)' --leave-out epanemu --leave-out 'penlington_*[02468]' --rivals --worst 40)

bench-contact: $(VENV)/.with-tests
	$(BIN)/python bench/contact.py '$(or $(PHOTOS),../shared/photos)' $(CONTACT)

bench-fair: $(VENV)/.with-tests
	$(BIN)/python bench/fair_play.py $(FAIR)

house: $(VENV)/.with-core
	$(BIN)/python bench/house.py

screens: $(VENV)/.with-tests
	$(BIN)/python tests/web/contact_sheet.py

pictures: $(VENV)/.with-tests
	$(BIN)/python bench/readme_pictures.py

site: $(VENV)/.with-site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo 'Read it: build/site/index.html; with its search: python3 -m http.server --directory build/site'

mutants: $(VENV)/.with-tests
	$(INSTALL) --editable '.[test,mutants]'
	$(BIN)/mutmut run
	$(BIN)/python bench/mutants.py

# `say` and `say_count` of referee/sentences.py mark what is said to people, `say`, `sayCount` and `sayParts` of
# web/static/say.js in scripts, `trans` and `_` in templates.
messages: $(VENV)/.with-core
	mkdir -p build
	$(BIN)/python -m babel.messages.frontend --quiet extract --mapping pyproject.toml --no-default-keywords --keyword say \
		--keyword say_count:1,2 --keyword _ --keyword gettext --keyword ngettext:1,2 \
		--no-location --sort-output --output-file build/messages.pot .
	for file in web/locales/*.po; do $(BIN)/pybabel --quiet update --input-file build/messages.pot \
		--output-file $$file --locale $$(basename $$file .po) --no-fuzzy-matching --ignore-obsolete \
		--ignore-pot-creation-date; done

# For Python 3.11 to 3.13 on every machine; the pins of 3.11 are those of Debian 12's picamera2, as above. The second file is
# what a hall needs beyond the first.
lock: $(VENV)/.with-core
	$(INSTALL) 'uv>=0.9,<1'
	printf '%s\n' "numpy<2 ; python_version < '3.12'" "opencv-python-headless<4.12 ; python_version < '3.12'" \
		>$(VENV)/lock-pins.txt
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --upgrade --quiet \
		--no-annotate --constraints $(VENV)/lock-pins.txt --custom-compile-command 'make lock' \
		--output-file systemd/requirements.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["hall"], \
		sep="\n")' >$(VENV)/hall.in
	$(BIN)/uv pip compile $(VENV)/hall.in --universal --python-version 3.11 --generate-hashes --upgrade --quiet --no-annotate \
		--constraints systemd/requirements.lock $(addprefix --no-emit-package ,numpy typing-extensions tzdata) \
		--custom-compile-command 'make lock' --output-file image/hall.lock

# The second renderer's pictures, of crowded trays by their seeds: a picture costs some ten processor seconds; again: goes on with those that are there.
CROWDED := 204 301 302
TRACED := traced-training $(addprefix crowded-,$(CROWDED))
traced: $(VENV)/.with-training .venv-cycles/.installed
	$(TRAINING) cycles-pictures --folder $(PICTURES)/traced-training --seed 201 --count 196
	$(foreach n,$(CROWDED),$(TRAINING) cycles-pictures --folder $(PICTURES)/crowded-$(n) --seed $(n) --count 130 --crowded &&) true
	$(TRAINING) cycles-pictures --folder $(PICTURES)/traced-choosing --seed 102 --count 90 --use choosing
	$(TRAINING) cycles-pictures --folder $(PICTURES)/traced-scoring --seed 103 --count 81 --use scoring

# The reader is fitted last: it learns what the finder takes for dice. PHOTOS=DIR adds photographs that may be trained on.
models: $(VENV)/.with-training traced
	$(TRAINING) pictures --folder $(PICTURES)/training --seed 1 --count 10620
	$(TRAINING) pictures --folder $(PICTURES)/choosing --seed 2 --count 780 --use choosing
	$(TRAINING) pictures --folder $(PICTURES)/scoring --seed 3 --count 1800 --use scoring
	$(TRAINING) finder --folder $(PICTURES)/training $(foreach name,$(TRACED),--traced $(PICTURES)/$(name)) \
		--to $(PICTURES)/finder.pt
	$(TRAINING) ship-finder --fitted $(PICTURES)/finder.pt --folder $(PICTURES)/training --choosing $(PICTURES)/choosing
	$(TRAINING) reader --folder $(PICTURES)/training $(foreach name,$(TRACED),--traced $(PICTURES)/$(name)) \
		--to $(PICTURES)/reader.pt $(if $(PHOTOS),--photographs '$(PHOTOS)')
	$(TRAINING) ship-reader --fitted $(PICTURES)/reader.pt --folder $(PICTURES)/training --choosing $(PICTURES)/choosing \
		--traced $(PICTURES)/traced-choosing $(if $(PHOTOS),--photographed)
	$(TRAINING) second --folder $(PICTURES)/training $(foreach name,$(TRACED),--traced $(PICTURES)/$(name)) \
		--to $(PICTURES)/second.pt $(if $(PHOTOS),--photographs '$(PHOTOS)')
	$(TRAINING) ship-second --fitted $(PICTURES)/second.pt --choosing $(PICTURES)/choosing \
		--traced $(PICTURES)/traced-choosing $(if $(PHOTOS),--photographed)
	$(TRAINING) score --folder $(PICTURES)/scoring --write
	$(TRAINING) signs --write
	$(TRAINING) pictures --folder $(PICTURES)/novel-1 --seed 1 --count 240 --use choosing --novel
	$(TRAINING) pictures --folder $(PICTURES)/novel-7 --seed 7 --count 480 --use choosing --novel --styles 3
	$(TRAINING) pictures --folder $(PICTURES)/novel-9 --seed 9 --count 720 --use choosing --novel --styles 3
	$(TRAINING) pictures --folder $(PICTURES)/few-1 --seed 1 --count 240 --use choosing --styles 3
	$(TRAINING) pictures --folder $(PICTURES)/few-8 --seed 8 --count 480 --use choosing --styles 5
	$(TRAINING) pictures --folder $(PICTURES)/few-10 --seed 10 --count 480 --use choosing --styles 5
	$(TRAINING) pictures --folder $(PICTURES)/novel-scoring --seed 1 --count 360 --use scoring --novel
	$(TRAINING) pictures --folder $(PICTURES)/few-scoring --seed 1 --count 360 --use scoring --styles 3
	$(TRAINING) space $(foreach name,novel-1 novel-7 novel-9 few-1 few-8 few-10,--folder $(PICTURES)/$(name))
	$(TRAINING) teach --folder $(PICTURES)/novel-scoring --folder $(PICTURES)/few-scoring --write
	$(MAKE) posture

# How a die lies, by geometry: after every change of the finder or the reader, whose word it weighs.
posture: $(VENV)/.with-training traced
	$(TRAINING) posture-pictures --folder $(PICTURES)/lies-1 --seed 1 --count 130
	$(TRAINING) posture-pictures --folder $(PICTURES)/lies-2 --seed 2 --count 240
	$(TRAINING) posture-pictures --folder $(PICTURES)/lies-3 --seed 3 --count 240
	$(TRAINING) posture-pictures --folder $(PICTURES)/lies-choosing --seed 11 --count 60 --use choosing
	$(TRAINING) posture-pictures --folder $(PICTURES)/lies-scoring --seed 21 --count 80 --use scoring
	$(TRAINING) posture $(foreach name,lies-1 lies-2 lies-3 $(TRACED),--folder $(PICTURES)/$(name)) --to $(PICTURES)/posture.pt
	$(TRAINING) ship-posture --fitted $(PICTURES)/posture.pt \
		$(foreach name,lies-choosing traced-choosing,--choosing $(PICTURES)/$(name)) \
		$(foreach name,lies-scoring traced-scoring,--scoring $(PICTURES)/$(name))

# How dice came to lie where they lie, by films of two renderers, scored on a third too; again: goes on with the films that are there.
arrival: $(VENV)/.with-training .venv-cycles/.installed
	LP_NUM_THREADS=1 $(TRAINING) moved-dice --folder $(PICTURES)/moved-training --seed 1 --count 221
	LP_NUM_THREADS=1 $(TRAINING) moved-dice --folder $(PICTURES)/moved-choosing --seed 2 --count 25 --use choosing
	LP_NUM_THREADS=1 $(TRAINING) moved-dice --folder $(PICTURES)/moved-scoring --seed 3 --count 40 --use scoring
	$(BIN)/python bench/tray_arrivals.py $(PICTURES)/tray-training --seed 1 --tables 54
	$(BIN)/python bench/tray_arrivals.py $(PICTURES)/tray-training --seed 200 --tables 51
	$(BIN)/python bench/tray_arrivals.py $(PICTURES)/tray-choosing --seed 5000 --tables 10
	$(BIN)/python bench/tray_arrivals.py $(PICTURES)/tray-choosing --seed 5100 --tables 10
	$(BIN)/python bench/tray_arrivals.py $(PICTURES)/tray-scoring --seed 9000 --tables 12
	$(TRAINING) arrival --folder $(PICTURES)/moved-training --folder $(PICTURES)/tray-training --to $(PICTURES)/arrival.pt
	$(TRAINING) ship-arrival --fitted $(PICTURES)/arrival.pt \
		$(foreach name,moved-training tray-training,--folder $(PICTURES)/$(name)) \
		$(foreach name,moved-choosing tray-choosing,--choosing $(PICTURES)/$(name)) \
		$(foreach name,moved-scoring tray-scoring,--scoring $(PICTURES)/$(name))
	$(TRAINING) cycles-films --folder $(PICTURES)/traced-films --seed 9 --count 33 --use scoring
	$(TRAINING) score-arrival --folder $(PICTURES)/traced-films

# Blender wants NumPy 1 and is under the GPL: it has an environment of its own, and one script of ours runs there.
cycles: .venv-cycles/.installed

.venv-cycles/.installed: pyproject.toml
	python3.11 -m venv .venv-cycles
	python3.11 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["cycles"], \
		sep="\n")' >.venv-cycles/requirements.txt
	.venv-cycles/bin/python -m pip install --quiet --disable-pip-version-check --requirement .venv-cycles/requirements.txt
	touch $@

clean:
	rm -rf $(VENV) .venv-cycles build dist mutants *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# A stamp says what is installed; it is made anew when the project's dependencies change.
$(VENV)/.with-core: pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable .
	touch $@

$(VENV)/.with-hall: pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable '.[hall]'
	touch $@ $(VENV)/.with-core

$(VENV)/.with-tests: pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable '.[test,dev]'
	touch $@ $(VENV)/.with-core $(VENV)/.with-hall

$(VENV)/.with-site: pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable '.[site]'
	touch $@ $(VENV)/.with-core

$(VENV)/.with-training: pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable '.[train]'
	touch $@ $(VENV)/.with-core

# pip, not python, is asked for: without python3-venv a python is left behind in a useless environment.
$(BIN)/pip:
	@echo 'Setting up $(VENV): this takes a minute or two, once.'
	$(PYTHON) -m venv $(VENV_OPTIONS) $(VENV)
