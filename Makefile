# Recourse. `make` lists what there is to do.
SHELL := /bin/bash
.DEFAULT_GOAL := help

WEB := clients/web
BUF := $(WEB)/node_modules/.bin/buf
DIST := $(WEB)/node_modules/.dist
# The race detector needs a C compiler; without one the tests still run.
RACE := $(if $(shell command -v $${CC:-cc} 2>/dev/null),-race)
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X github.com/recourse-dev/recourse/server/config.Version=$(VERSION) -X github.com/recourse-dev/recourse/clients/agentctl/command.Version=$(VERSION)
GO_TEST_FLAGS ?=
# Where the time goes into processes, or into code without goroutines, the race
# detector costs three to ten times: make prove runs those with it.
UNRACED := ./catalogue ./clients/agentctl/command ./core/evidence/dialect ./storage/embedded ./test/scenario/run ./test/scenario/secret
# Rounds of races, kills and histories, which make prove plays at length.
PROVED := ./test/model ./test/linear ./test/crash ./test/scenario/clock ./test/fleet
RACED = $(filter-out $(shell go list $(UNRACED) $(PROVED)),$(shell go list ./...))
# A test binary is linked for one run: without what only debuggers read.
TEST_LINK := -ldflags='-s -w -linkmode=internal'
# It would sleep for a second in each process that ends.
export GORACE := atexit_sleep_ms=0
# Many tests wait for a database or a process: two packages a core overlap the waits.
PACKAGES_AT_ONCE := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))))

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-22s %s\n", $$1, $$2}'

# ---- Everyday ----

.PHONY: setup
setup: $(WEB)/node_modules/.stamp tools/pg/.stamp ## Install what the build needs (npm packages; PostgreSQL if there is none)

.PHONY: run
run: build ## Build and serve on 127.0.0.1:8080 (ARGS="--listen … --data …")
	@bin/recourse serve $(ARGS)

.PHONY: test
test: setup $(DIST) ## Run the tests (Go and TypeScript); those of make prove take longer
	go test $(TEST_LINK) -p $(PACKAGES_AT_ONCE) $(GO_TEST_FLAGS) $(UNRACED)
	@go test $(RACE) $(TEST_LINK) -p $(PACKAGES_AT_ONCE) $(GO_TEST_FLAGS) $(RACED)
	go test -count=1 -tags layering ./test/layering
	cd $(WEB) && npm test --silent

.PHONY: lint
lint: setup bin/golangci-lint ## Lint Go, proto, TypeScript and the catalogue
	bin/golangci-lint run ./...
	go test -count=1 -tags lint ./test/lintconfig
	$(BUF) lint
	$(BUF) format -d --exit-code proto/api
	$(BUF) format -d --exit-code proto/catalogue
	cd $(WEB) && npm run --silent lint

.PHONY: format
format: setup bin/golangci-lint ## Format Go, proto and TypeScript
	bin/golangci-lint fmt ./...
	$(BUF) format -w proto/api
	$(BUF) format -w proto/catalogue
	cd $(WEB) && npm run --silent format

.PHONY: build
build: setup $(DIST) ## Build bin/recourse and bin/agentctl
	@mkdir -p bin
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/recourse ./server/cmd/recourse
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/agentctl ./clients/agentctl

.PHONY: clean
clean: ## Remove what was built (never a data folder)
	rm -rf bin $(WEB)/node_modules tools/pg/node_modules tools/pg/.stamp test-results
	find $(WEB)/dist -mindepth 1 ! -name .gitkeep -delete

# ---- Generated code ----

.PHONY: generate
generate: setup bin/sqlc ## Regenerate gen/ and the SQL code
	$(BUF) generate
	$(BUF) generate --template buf.gen.health.yaml
	$(BUF) generate --template buf.gen.catalogue.yaml
	bin/sqlc generate -f sql/sqlc.yaml
	go generate ./catalogue/...

.PHONY: generate-third-party
generate-third-party: ## Print proto/third_party anew from the linked modules
	cd tools/protodeps && go run . ../../proto/third_party

.PHONY: verify
verify: generate ## Prove that generated code, API paths and modules are as committed
	@test -z "$$(git status --porcelain -- gen storage/postgres/internal/dbsqlc catalogue README.md)" || { git --no-pager diff --stat -- gen storage catalogue README.md; git status --porcelain -- gen storage/postgres/internal/dbsqlc catalogue README.md; echo "generated code differs: run 'make generate' and commit"; exit 1; }
	go mod verify
	go mod tidy -diff
	node tools/openapi-paths.mjs
	-$(BUF) breaking proto/api --against '.git#branch=main,subdir=proto/api'

# ---- Measuring and proving ----

.PHONY: bench
bench: ## Benchmarks; each prints ratios taken in one run
	go test -run '^$$' -bench . -benchmem ./test/bench/...

.PHONY: score
score: ## Accuracy over labelled cases (CASES="files and folders"; the project's own corpus without)
	go run ./catalogue/cmd/score $(CASES)

.PHONY: catalogue
catalogue: ## Lint the catalogue: ids, fixtures, collisions, mutation check, reachability
	go test -count=1 ./catalogue/...

.PHONY: e2e
e2e: build ## Drive the web UI in Chromium against a real server
	node test/e2e/run.mjs

.PHONY: readme
readme: build ## Run every command of the README
	go test -count=1 -tags readme ./test/readme

.PHONY: prove
prove: setup ## The model, race, crash and store-fault tests of docs/proofs.md, and with the race detector what make test runs without
	go test -tags prove -count=1 -p 1 -timeout 30m $(PROVED)
	go test $(RACE) -tags prove -p $(PACKAGES_AT_ONCE) $(UNRACED)

.PHONY: soak
soak: build ## The same, and the clock and event tests, for hours
	go test -tags soak -count=1 -p 1 -timeout 6h ./test/... ./storage/... ./server/...

# ---- Tools and stamps ----

bin/sqlc: tools/sqlc/go.mod
	go build -modfile=tools/sqlc/go.mod -o $@ github.com/sqlc-dev/sqlc/cmd/sqlc

bin/golangci-lint: tools/lint/go.mod
	go build -modfile=tools/lint/go.mod -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(WEB)/node_modules/.stamp: $(WEB)/package-lock.json
	cd $(WEB) && npm ci --no-audit --no-fund --silent
	@touch $@

tools/pg/.stamp: tools/pg/install.sh tools/pg/package.json
	@tools/pg/install.sh
	@touch $@

$(DIST): $(WEB)/node_modules/.stamp $(shell find $(WEB)/src $(WEB)/index.html $(WEB)/public $(WEB)/vite.config.ts $(WEB)/package.json gen/ts -type f 2>/dev/null)
	cd $(WEB) && npm run --silent build
	@touch $@
