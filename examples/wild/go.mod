module github.com/lineage-driven/ldfi/examples/wild

go 1.26
