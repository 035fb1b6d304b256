package memberlist_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/memberlist"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Members answer the same, however they are asked.
func TestEveryWay(t *testing.T) {
	members, once := memberlist.System(abcd, nil), memberlist.System(abc, nil, memberlist.Once())
	members.Name, once.Name = "members", "once"
	everyway.Test(t, 4, []*system.System{members, once})
}
