module example.com/raft

go 1.26.0

require (
	github.com/lineage-driven/ldfi v0.1.0
	github.com/lineage-driven/ldfi/adapters/etcd v0.1.0
	github.com/lineage-driven/ldfi/adapters/etcdraft v0.1.0
)
