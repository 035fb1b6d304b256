package ratis

import "fmt"

// Snapshot and Restore let a search go on from a state.
func (c *client) Snapshot() any        { return c.asked }
func (c *client) Restore(snapshot any) { c.asked = snapshot.(asked) }
func (v *server) Snapshot() any        { return v.local }
func (v *server) Restore(snapshot any) { v.local = snapshot.(local) }

// Fingerprint names the state.
func (c *client) Fingerprint() string { return fmt.Sprintf("%+v", c.asked) }
func (v *server) Fingerprint() string { return fmt.Sprintf("%#v", v.local) }
