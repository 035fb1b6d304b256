module example.com/broadcast

go 1.26.0

require github.com/lineage-driven/ldfi v0.1.0
