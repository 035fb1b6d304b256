package zookeeper

import "fmt"

// Snapshot and Restore let a search go on from a state.
func (v *server) Snapshot() any        { return v.local }
func (v *server) Restore(snapshot any) { v.local = snapshot.(local) }

// Fingerprint names the state.
func (v *server) Fingerprint() string { return fmt.Sprintf("%+v", v.local) }
