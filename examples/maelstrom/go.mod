module github.com/lineage-driven/ldfi/examples/maelstrom

go 1.26.0

require github.com/jepsen-io/maelstrom/demo/go v0.0.0-20251128144731-cb7f07239012
