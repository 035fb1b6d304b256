module github.com/lineage-driven/ldfi/internal/causality/pdatatest

go 1.26.0

require (
	github.com/lineage-driven/ldfi v0.1.0
	github.com/stretchr/testify v1.11.1
	go.opentelemetry.io/collector/pdata v1.58.0
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/gofrs/flock v0.13.0 // indirect
	github.com/hashicorp/go-version v1.9.0 // indirect
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.3-0.20250322232337-35a7c28c31ee // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	go.opentelemetry.io/collector/featuregate v1.58.0 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
