module github.com/lineage-driven/ldfi

go 1.26
