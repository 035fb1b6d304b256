package memberlist

import (
	"fmt"
	"reflect"

	"github.com/hashicorp/memberlist"
)

// states are what a member can hold another for, as the library numbers them.
var states = []string{"alive", "suspect", "dead", "left"}

// member is what a member knows of one, perhaps itself.
type member struct{ name, state string }

// view returns all members that a member knows of. The library tells its users who is
// alive or suspect, not which of these and who is dead, so it is read from its fields: when
// all goroutines are at rest, as it is not locked.
func view(list *memberlist.Memberlist) (all []member, err error) {
	nodes := reflect.ValueOf(list).Elem().FieldByName("nodes")
	if nodes.Kind() != reflect.Slice {
		return nil, fmt.Errorf("this version of memberlist has no slice Memberlist.nodes: see view in adapters/memberlist")
	}
	for i := range nodes.Len() {
		node := nodes.Index(i).Elem()
		state, of := node.FieldByName("State"), node.FieldByName("Node")
		if !state.IsValid() || !state.CanInt() || !of.IsValid() || state.Int() < 0 || state.Int() >= int64(len(states)) {
			return nil, fmt.Errorf("this version of memberlist has no node whose State is one of %v: see view in adapters/memberlist", states)
		}
		all = append(all, member{of.FieldByName("Name").String(), states[state.Int()]})
	}
	return all, nil
}
