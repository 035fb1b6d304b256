module github.com/lineage-driven/ldfi/adapters/etcd

go 1.26.0

require (
	github.com/lineage-driven/ldfi v0.1.0
	github.com/stretchr/testify v1.11.1
)

require (
	bitbucket.org/creachadair/stringset v0.0.11 // indirect
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/antlr4-go/antlr/v4 v4.13.1 // indirect
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/go-air/gini v1.0.4 // indirect
	github.com/google/mangle v0.4.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	golang.org/x/exp v0.0.0-20240707233637-46b078467d37 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
