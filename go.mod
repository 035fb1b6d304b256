module github.com/lineage-driven/ldfi

go 1.26.0

tool honnef.co/go/tools/cmd/staticcheck

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/antlr4-go/antlr/v4 v4.13.1
	github.com/bmatcuk/doublestar/v4 v4.9.1
	github.com/fatih/color v1.18.0
	github.com/go-air/gini v1.0.4
	github.com/goccy/go-yaml v1.19.2
	github.com/gofrs/flock v0.13.0
	github.com/google/mangle v0.4.0
	github.com/jacoelho/xsd v0.0.30
	github.com/jstemmer/go-junit-report/v2 v2.1.0
	github.com/rivo/uniseg v0.4.7
	github.com/rogpeppe/go-internal v1.15.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
	github.com/stretchr/testify v1.11.1
	github.com/yuin/goldmark v1.7.13
	golang.org/x/mod v0.41.0
	golang.org/x/sync v0.24.0
	golang.org/x/term v0.47.0
)

require (
	bitbucket.org/creachadair/stringset v0.0.11 // indirect
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/kr/text v0.2.0 // indirect
	github.com/mattn/go-colorable v0.1.13 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	golang.org/x/exp v0.0.0-20240707233637-46b078467d37 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.14.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)
