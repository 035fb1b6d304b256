module github.com/lineage-driven/ldfi/adapters/etcd

go 1.26.0

require (
	github.com/lineage-driven/ldfi v0.1.0
	github.com/stretchr/testify v1.11.1
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/go-air/gini v1.0.4 // indirect
	github.com/gofrs/flock v0.13.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
